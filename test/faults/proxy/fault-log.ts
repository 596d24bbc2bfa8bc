import type { Asked } from './asked.ts'

/** One thing that a rule has done: together they are the record of the fault script. */
export interface Done extends Pick<Asked, 'verb' | 'resource' | 'subresource' | 'namespace' | 'name'> {
  /** Epoch milliseconds. */
  readonly at: number
  readonly rule: string
  readonly done: string
  /** The event of the watch. */
  readonly event?: string
}

export class FaultLog {
  readonly entries: Done[] = []

  note(rule: string, done: string, asked: Asked, event?: string): void {
    const { verb, resource, subresource, namespace, name } = asked
    const what = { at: Date.now(), rule, done, verb, resource, subresource, namespace, name }
    this.entries.push(event === undefined ? what : { ...what, event })
  }
}

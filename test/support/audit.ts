import { readFile } from 'node:fs/promises'

/** One request as the API server has recorded it. */
export interface AuditRecord {
  readonly verb: string
  /** Empty for the core API. */
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly user: string
  readonly userAgent: string
  readonly code: number
  readonly dryRun: boolean
  /** Epoch milliseconds with a fraction: taken by the outermost filter, before anything else is done. */
  readonly received: number
  /** The answer was complete. */
  readonly completed: number
  /** The bodies, where the policy keeps them. */
  readonly request?: unknown
  readonly response?: unknown
}

/** A Job that the API server has taken. */
export function isLaunch({ verb, resource, subresource, code, dryRun }: AuditRecord): boolean {
  return verb === 'create' && resource === 'jobs' && subresource === '' && code === 201 && !dryRun
}

/** A Job that the API server has deleted, or begun to. */
export function isJobDelete({ verb, resource, code }: AuditRecord): boolean {
  return verb === 'delete' && resource === 'jobs' && code < 300
}

interface RawEvent {
  readonly stage: string
  readonly verb: string
  readonly requestURI: string
  readonly userAgent?: string
  readonly user: { readonly username: string }
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly resource?: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly responseStatus?: { readonly code?: number }
  readonly requestReceivedTimestamp: string
  readonly stageTimestamp: string
  readonly requestObject?: unknown
  readonly responseObject?: unknown
}

/** All complete requests in the log, in the order of their answers. A last line that is only half there is left out. */
export async function readAudit(path: string): Promise<readonly AuditRecord[]> {
  return recordsIn(await readFile(path, 'utf8'))
}

/** Of a text that begins with a line. */
export function recordsIn(text: string): readonly AuditRecord[] {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.flatMap((line) => {
    const event = line === '' ? null : (JSON.parse(line) as RawEvent)
    return event?.stage === 'ResponseComplete' ? [recordOf(event)] : []
  })
}

function recordOf(event: RawEvent): AuditRecord {
  const { apiGroup: group = '', resource = '', subresource = '', namespace = '', name = '' } = event.objectRef ?? {}
  return {
    verb: event.verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    user: event.user.username,
    userAgent: event.userAgent ?? '',
    code: event.responseStatus?.code ?? 0,
    dryRun: event.requestURI.includes('dryRun=All'),
    received: microseconds(event.requestReceivedTimestamp),
    completed: microseconds(event.stageTimestamp),
    ...bodiesOf(event),
  }
}

function bodiesOf({
  requestObject: request,
  responseObject: response,
}: RawEvent): Pick<AuditRecord, 'request' | 'response'> {
  return { ...(request !== undefined && { request }), ...(response !== undefined && { response }) }
}

/** `2026-12-01T09:00:00.123456Z`: Date.parse drops what is below the millisecond. */
function microseconds(text: string): number {
  const [, whole = '', fraction = '0'] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? []
  return Date.parse(`${whole}Z`) + Number(`0.${fraction}`) * 1_000
}

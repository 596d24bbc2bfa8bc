import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Asked } from './asked.ts'
import type { RequestRule } from './rules.ts'

/** A request on its way, and the rule that it falls under. */
export interface Case {
  readonly asked: Asked
  readonly rule: RequestRule | null
  readonly bytes: Buffer
  readonly headers: IncomingMessage['headers']
  readonly response: ServerResponse
}

import { createHash } from 'node:crypto'

/** 64 hex digits, of the text as UTF-8. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

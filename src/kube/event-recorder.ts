import PQueue from 'p-queue'
import type { Logger } from 'pino'
import { apiVersion, group, kind } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import { formatMicroTime } from '../api/time.ts'
import type { EventReason, EventRecorder, UserEvent } from '../controller/ports.ts'
import type { Instant } from '../schedule/state.ts'
import type { Requester } from './fenced.ts'

export interface EventRecorderParts {
  readonly transport: Requester
  readonly log: Logger
  /** Of this process: the Pod's name. */
  readonly instance: string
}

/** As client-go's correlator has it: 25 at once for each object, then one in five minutes. */
const burst = 25
const refillMs = 300_000
const sameAgainAfterMs = 600_000
const atOnce = 4
const mostWaiting = 1_000
const mostRemembered = 10_000
/** The API server's limit of a note, in bytes. */
const longestNote = 1_024

interface Budget {
  left: number
  at: Instant
  readonly told: Map<string, Instant>
}

/** Writes Events of events.k8s.io; what the limits do not let through is dropped, as Events are a courtesy. */
export class KubeEventRecorder implements EventRecorder {
  readonly #parts: EventRecorderParts
  /** Those that were asked least lately come first. */
  readonly #budgets = new Map<string, Budget>()
  readonly #queue = new PQueue({ concurrency: atOnce })

  constructor(parts: EventRecorderParts) {
    this.#parts = parts
  }

  record(object: SecondCronJob, event: UserEvent, now: Instant): void {
    if (this.#queue.size >= mostWaiting || !this.#isAllowed(object.uid, event, now)) return
    void this.#queue.add(() => this.#send(object, event, now))
  }

  async stop(): Promise<void> {
    this.#queue.clear()
    await this.#queue.onIdle()
  }

  #isAllowed(uid: string, { reason, note }: UserEvent, now: Instant): boolean {
    const budget = this.#budgetOf(uid, now)
    const text = isRecurring(reason) ? reason : `${reason} ${note}`
    if (now - (budget.told.get(text) ?? Number.NEGATIVE_INFINITY) < sameAgainAfterMs || budget.left < 1) return false
    budget.left -= 1
    budget.told.delete(text)
    if (budget.told.size >= burst) budget.told.delete(budget.told.keys().next().value ?? '')
    budget.told.set(text, now)
    return true
  }

  #budgetOf(uid: string, now: Instant): Budget {
    const known = this.#budgets.get(uid)
    if (known !== undefined) {
      known.left = Math.min(burst, known.left + Math.max(0, now - known.at) / refillMs)
      known.at = now
    }
    const budget = known ?? { left: burst, at: now, told: new Map() }
    this.#budgets.delete(uid)
    this.#budgets.set(uid, budget)
    if (this.#budgets.size > mostRemembered) this.#budgets.delete(this.#budgets.keys().next().value ?? '')
    return budget
  }

  async #send(object: SecondCronJob, event: UserEvent, now: Instant): Promise<void> {
    const path = `/apis/events.k8s.io/v1/namespaces/${object.namespace}/events`
    try {
      await this.#parts.transport.request({
        method: 'POST',
        path,
        lane: 'control',
        body: this.#body(object, event, now),
      })
    } catch (err) {
      this.#parts.log.debug({ namespace: object.namespace, name: object.name, err }, 'event not written')
    }
  }

  #body(object: SecondCronJob, event: UserEvent, now: Instant): Record<string, unknown> {
    const { namespace, name, uid } = object
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { generateName: `${name}-`, namespace },
      eventTime: formatMicroTime(now),
      type: event.type,
      reason: event.reason,
      action: event.action,
      note: cutBytes(event.note, longestNote),
      regarding: { apiVersion, kind, namespace, name, uid },
      reportingController: `${group}/second-cron-job-operator`,
      reportingInstance: this.#parts.instance.slice(0, 128),
    }
  }
}

/** Those whose note is another one each time, by a count or a Job's name, though they say the same. */
function isRecurring(reason: EventReason): boolean {
  return reason === 'MissSchedule' || reason === 'UnexpectedJob'
}

/** At most `limit` bytes of UTF-8, and no half character at the end. */
export function cutBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= limit) return text
  let end = limit
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}

import { formatMicroTime, parseTime } from '../api/time.ts'
import type { Lease, LeaseClaim, LeaseControl } from '../leader/lease.ts'
import { ifNotFound } from './job-control.ts'
import { JsonLines } from './json-lines.ts'
import { leasePath, leasesPath } from './paths.ts'
import type { ApiRequest, Transport } from './transport.ts'
import { understood } from './understood.ts'

interface RawLease {
  readonly metadata?: Readonly<Record<string, unknown>> & { readonly resourceVersion?: string }
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly leaseTransitions?: number
    readonly acquireTime?: string
    readonly renewTime?: string
  }
}

/** The server ends a watch after so long; one that says nothing for longer is dead. */
const watchSeconds = 45
const deadAfterMs = 55_000
/** It is an int32. */
const mostTransitions = 2_147_483_647

/** The Lease at the API server, on connections of its own: a burst of launches never delays a renewal. */
export class KubeLeaseControl implements LeaseControl {
  readonly #transport: Transport
  readonly #namespace: string
  readonly #name: string
  /** Of the last answer. */
  #metadata: RawLease['metadata'] = {}

  constructor(transport: Transport, namespace: string, name: string) {
    this.#transport = transport
    this.#namespace = namespace
    this.#name = name
  }

  async get(timeoutMs: number): Promise<Lease | null> {
    try {
      return await this.#ask({ method: 'GET', path: leasePath(this.#namespace, this.#name), timeoutMs })
    } catch (thrown) {
      return ifNotFound(thrown, null)
    }
  }

  create(claim: LeaseClaim, timeoutMs: number): Promise<Lease> {
    return this.#ask({ method: 'POST', path: leasesPath(this.#namespace), timeoutMs, body: this.#body(claim) })
  }

  update(resourceVersion: string, claim: LeaseClaim, timeoutMs: number): Promise<Lease> {
    const body = this.#body(claim, resourceVersion)
    return this.#ask({ method: 'PUT', path: leasePath(this.#namespace, this.#name), timeoutMs, body })
  }

  async watch(told: (lease: Lease | null) => void, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams({
      watch: 'true',
      fieldSelector: `metadata.name=${this.#name}`,
      timeoutSeconds: String(watchSeconds),
    })
    const limit = AbortSignal.any([signal, AbortSignal.timeout(deadAfterMs)])
    const lines = new JsonLines()
    try {
      const path = `${leasesPath(this.#namespace)}?${query.toString()}`
      for await (const chunk of this.#transport.stream(path, limit, () => undefined))
        for (const event of lines.push(chunk)) tell(event, told)
    } catch {
      // It is only how a standby is woken early: whatever ended it, the Lease is asked for at its end.
    }
  }

  async #ask(request: Omit<ApiRequest, 'lane'>): Promise<Lease> {
    const { body } = await this.#transport.request({ ...request, lane: 'lease' })
    const lease = understood(body, decodeLease)
    this.#metadata = (body as RawLease).metadata
    return lease
  }

  #body({ holder, durationMs, transitions, acquired, renewed }: LeaseClaim, resourceVersion?: string): object {
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: this.#name, namespace: this.#namespace, ...this.#kept(resourceVersion) },
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: Math.ceil(durationMs / 1_000),
        acquireTime: formatMicroTime(acquired),
        renewTime: formatMicroTime(renewed),
        leaseTransitions: Math.min(transitions, mostTransitions),
      },
    }
  }

  /** Labels and annotations that others have put on this version of it: an update without them would take them off. */
  #kept(resourceVersion: string | undefined): object {
    if (resourceVersion === undefined) return {}
    const { labels, annotations, ownerReferences, finalizers } =
      this.#metadata?.resourceVersion === resourceVersion ? this.#metadata : {}
    return { resourceVersion, labels, annotations, ownerReferences, finalizers }
  }
}

function tell(event: unknown, told: (lease: Lease | null) => void): void {
  const { type, object } = event as { readonly type?: string; readonly object?: unknown }
  if (type === 'DELETED') told(null)
  else if (type === 'ADDED' || type === 'MODIFIED') told(decodeLease(object))
}

/** Throws on one without a version. What is missing in it is as if nobody held it, as client-go has it. */
function decodeLease(raw: unknown): Lease {
  const { metadata, spec = {} } = raw as RawLease
  const resourceVersion = metadata?.resourceVersion
  if (resourceVersion === undefined) throw new TypeError('a Lease without resourceVersion')
  return {
    resourceVersion,
    holder: spec.holderIdentity ?? '',
    durationMs: (spec.leaseDurationSeconds ?? 0) * 1_000,
    transitions: spec.leaseTransitions ?? 0,
    acquired: parseTime(spec.acquireTime) ?? 0,
    renewed: spec.renewTime ?? '',
  }
}

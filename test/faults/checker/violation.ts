/** What can be wrong. */
export type Kind =
  /** Two Jobs were committed for one slot. */
  | 'duplicate'
  /** A slot that was due while somebody could launch has no Job. */
  | 'lost'
  /** Its create was received before its second. */
  | 'early'
  /** Its create was received later than is allowed while somebody could launch. */
  | 'late'
  /** Of an outage, or of the time around an edit, and run although a newer one was due long since, or after its deadline. */
  | 'backRun'
  /** Its second is on no grid that the resource had at the time. */
  | 'offGrid'
  /** It was launched although a delete or a suspend had been acknowledged long since. */
  | 'stopped'
  /** Its owner is not there: a Job that is left, or one that was created for nobody. */
  | 'orphan'
  /** A Job of the operator does not say what it is: by its name, its label, its slot or its owner. */
  | 'misnamed'
  /** The operator has written what is somebody else's to write: a spec, or anything of a Job that is there. */
  | 'meddled'
  /** The operator has deleted a Job that was still at work, or none of its own. */
  | 'deletedActive'
  /** The operator has deleted a finished Job while it was the lock of its slot: too young, or of a slot not stored yet. */
  | 'deletedEarly'
  /** More finished Jobs are left than the limits allow, or one of the newest is not. */
  | 'history'
  /** A resource that was deleted went too late, or is still there. */
  | 'stuck'
  /** The status says something else than what happened, or has gone back in time. */
  | 'status'
  /** Under Forbid or Replace a Job was created while another one of the resource was at work. */
  | 'overlap'
  /** A Job was created for a resource before it had a finalizer: its deletion would not wait for it. */
  | 'unguarded'
  /** One operator launched while another one held the Lease. */
  | 'twoLeaders'
  /** An operator wrote although it had not renewed the Lease for longer than the renew deadline. */
  | 'unfenced'
  /** More requests than the work takes. */
  | 'traffic'
  /** What a row itself looks at is not as it has to be: an Event, a condition, a Job of somebody else, who holds the Lease. */
  | 'unkept'
  /** A probe, the memory or the sockets of the process; or the row could not be played. */
  | 'process'

/** `lost: NAMESPACE/NAME JOB what was wrong` */
export function describeViolation({ kind, resource, job = '', detail }: Violation): string {
  return `${kind}: ${resource} ${job} ${detail}`
}

export interface Violation {
  readonly kind: Kind
  /** `NAMESPACE/NAME` of the resource, or of the Job that has none. */
  readonly resource: string
  /** The Job that it is about. */
  readonly job?: string
  readonly detail: string
}

/** Which rows have to turn red for which mutants of test/mutants. */
export interface Pairing {
  /** The name of the mutant. */
  readonly mutant: string
  readonly rows: readonly string[]
}

export const pairings: readonly Pairing[] = [
  { mutant: 'the name of a Job is random', rows: ['A4-answer-lost'] },
  { mutant: 'there is no finalizer', rows: ['R0-nothing'] },
  { mutant: 'slots are counted from the last run, not from the creation', rows: ['R0-nothing'] },
  { mutant: 'a Job goes before its slot is stored', rows: ['A8-history-unstored'] },
  { mutant: 'a look-up that fails is taken for "gone"', rows: ['C8-lookups-fail'] },
  { mutant: 'a 404 of a missing CRD is taken for a deleted object', rows: ['C8-lookups-not-found'] },
  { mutant: 'a resume runs what was due while it was suspended', rows: ['R0-nothing'] },
  { mutant: 'ticks are a second of sleep apart, not at whole seconds', rows: ['R0-nothing'] },
  { mutant: 'the fence is asked when a write is queued, not when it is written', rows: ['B7-writes-queued'] },
  { mutant: 'a renewal counts from when it was answered', rows: ['B7-lease-held'] },
  { mutant: 'a merge patch for the status', rows: ['D1-other-writer'] },
  { mutant: 'a Job is deleted without preconditions', rows: ['H5-jobs-replaced'] },
  { mutant: 'no list at takeover', rows: ['B9-standby-blind'] },
  { mutant: 'lists come from the cache of whatever API server answers', rows: ['B1-stale-server'] },
  { mutant: 'a Job goes that is younger than ten seconds', rows: ['R0-nothing'] },
  { mutant: '409 is taken for success, whoever owns the Job', rows: ['H3-foreign-job'] },
  { mutant: 'what a leader writes passes no fence', rows: ['B7-writes-queued'] },
  { mutant: '409 is taken for an error', rows: ['A4-sent-twice'] },
]

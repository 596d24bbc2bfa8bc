/** What docs/faults.md says of itself. */

export const introduction = `Each row: fifty resources of one to five seconds on a real control plane, behind a proxy that does what the row says, while
others are created, edited, suspended and deleted; then eight seconds of quiet; then everything is suspended, and looked at.
The checker replays every change of every spec from the API server's audit log, and says of each slot of each resource whether
it was lost, run twice, early, late, off the grid, run after the resource was stopped, or run later than the newest one after an
outage; of each Job whether it was left behind or deleted at work; and of each status whether it is true, counts every
missed slot, and never went back. \`npm run test:faults\` plays them all; its seeds are fixed.

The letters: **A** crashes between two writes (\`-of-two\`: of the leader of two replicas), **B** old news and who leads, **C** events that are
never seen, **D** requests that fail, **E** etcd and the controller manager, **F** a cluster that says no, **G** time, **H** odd objects and
Jobs that somebody meddles with, **I** many resources. **R0** has no fault.
`

export const legend = `*Times*: how often the fault was done, be it a kill, a stop, a request or an event. *Slots due* are those that had to be launched:
outages, and the moments after a change of the spec, are not among them. *Latest launch* is of those. *Recovered after* is from
the end of the fault to the last slot that was missing or late, excused or not. The last column of times is as the operator says it
of itself, with half a second before it and, after it, another half, or one and a half where more than the leader was hit.

Faults are short, for the whole to take two hours: 20 seconds where the row says nothing else, a stop of the process 15 to 20, one of
the controller manager 10, eighty Jobs in the burst of A6, two hundred resources in the crowd. \`--seconds 60\` makes them longer.
`

import type { Group } from './row.ts'

/** The rows that hold on one of the servers only, as `sandbox/README.md` lists them. */
export function markedRows(groups: readonly Group[]): string {
  const marked = groups.flatMap(({ name, rows }) =>
    rows.flatMap(({ name: sentence, only }) =>
      only === undefined ? [] : [`| ${only.server} | ${name}: ${sentence} | ${only.because} |`],
    ),
  )
  return ['| only on | row | because |', '|---|---|---|', ...marked].join('\n')
}

/** How many rows there are, for the same page. */
export function countedRows(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => group.rows)
  const onlyOn = (server: string) => rows.filter(({ only }) => only?.server === server).length
  return `${rows.length} rows; ${onlyOn('real')} of them on the real server only, ${onlyOn('embedded')} on the embedded one only.`
}

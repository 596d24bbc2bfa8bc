import type { Violation } from './violation.ts'

/** Where nobody could launch every time no single slot is lost; that all of them are is another matter. */
export function checkShare(
  resource: string,
  { share }: { readonly share: number | null },
  { leastShare }: { readonly leastShare?: number },
): readonly Violation[] {
  if (leastShare === undefined || (share !== null && share >= leastShare)) return []
  const said = share === null ? 'nothing was due' : `${Math.round(share * 100)} % of all slots were launched`
  return [{ kind: 'lost', resource, detail: `${said}, of at least ${Math.round(leastShare * 100)} %` }]
}

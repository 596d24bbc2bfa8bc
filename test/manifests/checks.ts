import type { Checks } from './check.ts'
import { objectDefaults, objectOptIns } from './kube-linter-objects.ts'
import { podDefaults, podOptIns } from './kube-linter-pods.ts'
import { points } from './kubesec.ts'
import type { Thing } from './objects.ts'
import { dangers, warnings } from './polaris.ts'

function named(tool: string, ...tables: readonly Checks[]): Checks {
  const entries = tables.flatMap((table) => Object.entries(table))
  return Object.fromEntries(entries.map(([name, check]) => [`${tool}/${name}`, check]))
}

/** All checks, each by its tool and the name that the tool gives it. */
export const checks: Checks = {
  ...named('kube-linter', podDefaults, podOptIns, objectDefaults, objectOptIns),
  ...named('polaris', dangers, warnings),
  ...named('kubesec', points),
}

/** The names of the checks that complain. */
export function speaking(objects: readonly Thing[]): string[] {
  return Object.entries(checks)
    .filter(([, check]) => check(objects).length > 0)
    .map(([name]) => name)
}

import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { AuditRecord } from './audit.ts'
import { operatorUser } from './service-account.ts'
import { root } from './shipped.ts'

/** What the operator has asked for in the clusters of a run, for the comparison at its end; emptied before the next run. */
const folder = `${root}coverage/rights`

/** `patch myyrakle.com/secondcronjobs/status` */
export function rightOf(verb: string, group: string, resource: string, subresource = ''): string {
  return `${verb} ${[group, resource, subresource].filter((part) => part !== '').join('/')}`
}

/** Notes what the operator's service account has asked for, whatever the answer was. */
export async function noteRights(records: readonly AuditRecord[]): Promise<void> {
  const asked = records.filter(({ user, resource }) => user === operatorUser && resource !== '')
  const rights = new Set(
    asked.map(({ verb, group, resource, subresource }) => rightOf(verb, group, resource, subresource)),
  )
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/${randomUUID()}.json`, JSON.stringify([...rights]))
}

export async function notedRights(): Promise<ReadonlySet<string>> {
  const files = await readdir(folder).catch(() => [])
  const lists = files.map(async (file) => JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as string[])
  return new Set((await Promise.all(lists)).flat())
}

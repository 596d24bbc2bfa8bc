import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from './admin.ts'
import { root } from './shipped.ts'

/** The documents of one of the shipped files. */
export async function manifests(path: string): Promise<readonly KubeObject[]> {
  const documents = parseAllDocuments(await readFile(`${root}${path}`, 'utf8'))
  return documents.map((document) => document.toJS() as KubeObject)
}

import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A text of a file, and another one in its place. */
export interface Change {
  readonly file: string
  readonly text: string
  readonly by: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** All that the tests and the build read. */
const parts = ['src', 'test', 'deploy', 'scripts', 'package.json', 'tsconfig.json', 'Dockerfile']

/** The text with the change in it. Throws unless what is to be replaced is there exactly once. */
export function changed(source: string, { file, text, by }: Change): string {
  const found = source.split(text).length - 1
  if (found !== 1) throw new Error(`${file} has this ${found} times, and not once:\n${text}`)
  return source.replace(text, () => by)
}

/** A copy of the sources that may be changed, in a folder of its own that goes with it. */
export class Tree {
  readonly folder: string

  static async copy(): Promise<Tree> {
    const folder = await mkdtemp(`${tmpdir()}/second-cron-job-mutants-`)
    await Promise.all(parts.map((part) => cp(`${root}${part}`, `${folder}/${part}`, { recursive: true })))
    await symlink(`${root}node_modules`, `${folder}/node_modules`)
    return new Tree(folder)
  }

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Does `use` with the changes made, and takes them back. Throws, changing nothing, when one of them does not fit. */
  async with<T>(changes: readonly Change[], use: () => Promise<T>): Promise<T> {
    const before = new Map<string, string>()
    const after = new Map<string, string>()
    for (const change of changes) {
      const source = after.get(change.file) ?? (await this.#read(change.file))
      if (!before.has(change.file)) before.set(change.file, source)
      after.set(change.file, changed(source, change))
    }
    await this.#write(after)
    try {
      return await use()
    } finally {
      await this.#write(before)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  #read(file: string): Promise<string> {
    return readFile(`${this.folder}/${file}`, 'utf8')
  }

  async #write(texts: ReadonlyMap<string, string>): Promise<void> {
    await Promise.all([...texts].map(([file, text]) => writeFile(`${this.folder}/${file}`, text)))
  }
}

import { readdir, readFile, readlink } from 'node:fs/promises'

export interface Usage {
  readonly rssMb: number
  /** Without what is mapped from files, which is mostly the node binary and is given back under pressure. */
  readonly anonymousMb: number
  readonly sockets: number
}

/** What a process of this machine takes, as Linux counts it. */
export async function usageOf(pid = 0): Promise<Usage> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
  return { rssMb: megabytes('VmRSS'), anonymousMb: megabytes('RssAnon'), sockets: await socketsOf(pid) }
}

async function socketsOf(pid: number): Promise<number> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return targets.filter((target) => target.startsWith('socket:')).length
}

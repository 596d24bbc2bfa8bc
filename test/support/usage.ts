import { readdir, readFile, readlink } from 'node:fs/promises'

export interface Usage {
  readonly rssMb: number
  /** The most that it ever was. */
  readonly peakRssMb: number
  /** Without what is mapped from files, which is mostly the node binary and is given back under pressure. */
  readonly anonymousMb: number
  readonly sockets: number
  /** Since it was started, of one core. */
  readonly cpuSeconds: number
}

/** The unit of times in /proc, the same on every Linux. */
const ticksASecond = 100

/** What a process of this machine takes, as Linux counts it. */
export async function usageOf(pid = 0): Promise<Usage> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
  return {
    rssMb: megabytes('VmRSS'),
    peakRssMb: megabytes('VmHWM'),
    anonymousMb: megabytes('RssAnon'),
    sockets: await socketsOf(pid),
    cpuSeconds: await cpuSecondsOf(pid),
  }
}

/** proc(5): utime and stime are the 14th and 15th field, counted from the name in parentheses. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond
}

async function socketsOf(pid: number): Promise<number> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  return targets.filter((target) => target.startsWith('socket:')).length
}

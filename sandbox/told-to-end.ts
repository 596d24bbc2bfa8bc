import { constants } from 'node:os'

const lookMs = 200

/**
 * Every signal that asks for it ends this process, and so does an output that nobody reads any more, or the end of the
 * process that has started this one: a shell between npm and this one may die of a signal without passing it on. Before
 * the answer is called, that is at once, with a line and the exit code of who dies of the signal; what was started goes
 * with this process. From then on it only aborts the answer, and more than once: a terminal and npm send the same Ctrl-C.
 */
export function listenForTheEnd(): () => AbortController {
  const told = new AbortController()
  let isUp = false
  const end = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    if (isUp) return told.abort()
    process.stdout.write(`ended by ${signal} before the operator ran: nothing was judged\n`)
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal))
  process.stdout.on('error', () => end('SIGHUP'))
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) end('SIGHUP')
  }, lookMs).unref()
  return () => {
    isUp = true
    return told
  }
}

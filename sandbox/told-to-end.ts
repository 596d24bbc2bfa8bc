const lookMs = 200

/**
 * Calls `end` for every signal that asks for it, for an output that nobody reads any more, and when the process that has
 * started this one is gone: a shell between npm and this one may die of a signal without passing it on. Once is not
 * enough: a terminal and npm send the same Ctrl-C.
 */
export function whenToldToEnd(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  process.stdout.on('error', end)
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) end()
  }, lookMs).unref()
}

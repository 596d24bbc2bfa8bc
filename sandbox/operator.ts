import { fileURLToPath } from 'node:url'
import { Component, freePort } from '../test/control-plane/component.ts'
import type { Ground } from './ground.ts'

const readyLimitMs = 20_000

/** The operator as a process of its own, which goes with this one. Rejects with its log when it does not get ready. */
export async function startOperator({ folder, kubeconfig }: Ground, main: string | null): Promise<Component> {
  const port = await freePort()
  const file = main ?? fileURLToPath(new URL('../src/main.ts', import.meta.url))
  // No --pod-namespace: a second operator that says nothing of it is to find the Lease of this one, and stand by.
  const place = ['--host', '127.0.0.1', '--port', String(port)]
  const command = [process.execPath, file, '--kubeconfig', kubeconfig, ...place] as const
  const operator = new Component('operator', folder, command)
  operator.start()
  await operator.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, readyLimitMs)
  return operator
}

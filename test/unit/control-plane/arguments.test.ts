import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiServerArguments } from '../../control-plane/arguments.ts'

/** The longest soak that CONTRIBUTING.md speaks of, at the launches a second that `run.ts` takes when nobody names a rate. */
const soak = { minutes: 350, rate: 50 }
/** Bytes. In four rows all the checker keeps of the log is 15 to 20 kB for each launch: twice that, for what it leaves out. */
const perLaunch = 40_000
const megabyte = 1024 ** 2

test('control plane: the audit log of a soak is one file; the API server begins another one at a hundred megabytes by itself', () => {
  const flag = '--audit-log-maxsize='
  const given = apiServerArguments('/folder', 2379, 6443).filter((argument) => argument.startsWith(flag))
  const [most = 0] = given.map((argument) => Number(argument.slice(flag.length)))
  const written = (soak.minutes * 60 * soak.rate * perLaunch) / megabyte
  assert.ok(most > 2 * written, `${given.join() || 'none'}, and a soak writes up to ${Math.ceil(written)} megabytes`)
})

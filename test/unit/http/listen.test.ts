import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { CannotListen, listen } from '../../../src/http/listen.ts'

type Listen = FastifyInstance['listen']

/** A server whose kernel refuses these hosts, with these codes. */
function aServer(refused: Readonly<Record<string, string>>): { readonly listen: Listen; readonly hosts: string[] } {
  const hosts: string[] = []
  const open = async ({ host = '', port = 0 }: { host?: string; port?: number }) => {
    hosts.push(host)
    if (refused[host] !== undefined) throw Object.assign(new Error(`listen ${refused[host]}`), { code: refused[host] })
    return `http://${host}:${port}`
  }
  return { listen: open as Listen, hosts }
}

test('every address: of both families, so that a probe finds a Pod that has IPv6 alone', async () => {
  const server = aServer({})
  await listen(server, { host: '::', port: 1 })
  assert.deepEqual(server.hosts, ['::'])
})

for (const code of ['EAFNOSUPPORT', 'EADDRNOTAVAIL'])
  test(`every address, on a kernel without IPv6 (${code}): those of IPv4`, async () => {
    const server = aServer({ '::': code })
    assert.equal(await listen(server, { host: '::', port: 1 }), 'http://0.0.0.0:1')
  })

const cases: Record<string, { host: string; refused: Readonly<Record<string, string>>; want: string }> = {
  'an IPv6 address of somebody else is not all of IPv4': {
    host: '2001:db8::1',
    refused: { '2001:db8::1': 'EADDRNOTAVAIL' },
    want: '--host 2001:db8::1 is no address of this machine; write one that is, or leave it out for all',
  },
  'the port is in use': {
    host: '::',
    refused: { '::': 'EADDRINUSE' },
    want: 'port 80 is in use; free it, or choose another one with --port',
  },
  'the port is for root': {
    host: '::',
    refused: { '::': 'EACCES' },
    want: 'port 80 may not be opened by this user; choose one from 1024 on with --port',
  },
  'nor is it on a kernel without IPv6': {
    host: '::',
    refused: { '::': 'EAFNOSUPPORT', '0.0.0.0': 'EACCES' },
    want: 'port 80 may not be opened by this user; choose one from 1024 on with --port',
  },
  'a name that nobody knows': {
    host: 'no.such',
    refused: { 'no.such': 'ENOTFOUND' },
    want: "--host no.such is a name that can't be resolved; write an address, or leave it out for all",
  },
  'anything else': {
    host: 'fe80::1',
    refused: { 'fe80::1': 'EINVAL' },
    want: "port 80 can't be opened at fe80::1: listen EINVAL",
  },
}
for (const [name, { host, refused, want }] of Object.entries(cases))
  test(`one sentence: ${name}`, () =>
    assert.rejects(
      listen(aServer(refused), { host, port: 80 }),
      (error) => error instanceof CannotListen && assert.equal(error.message, want) === undefined,
    ))

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { Component } from '../../control-plane/component.ts'

const ready = () => Promise.reject(new Error('not trusted'))

test('a component that does not get ready, and one that has ended: told with the last reason', async () => {
  const folder = await mkdtemp(`${tmpdir()}/scj-component-`)
  const component = new Component('some-server', folder, ['sleep', '60'])
  component.start()
  await assert.rejects(component.until(ready, 0), /some-server is not ready after 0 ms \(Error: not trusted\)/)
  await component.end('SIGKILL')
  await assert.rejects(component.until(ready, 0), /some-server has ended \(Error: not trusted\)/)
  await rm(folder, { recursive: true })
})

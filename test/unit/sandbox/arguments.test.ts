import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Arguments, parseArguments, usage, UsageError } from '../../../sandbox/arguments.ts'

const run = { kind: 'run', file: null, real: false, operator: null } as const

const right: Record<string, Arguments> = {
  '--for 20s': { ...run, forMs: 20_000 },
  '--for=2m': { ...run, forMs: 120_000 },
  '--for 9999m': { ...run, forMs: 599_940_000 },
  '--for 1s --real --file my.yaml --operator a.js': {
    kind: 'run',
    forMs: 1_000,
    real: true,
    file: 'my.yaml',
    operator: 'a.js',
  },
  '--help': { kind: 'help' },
  '-h': { kind: 'help' },
  '--for x --help': { kind: 'help' },
}

for (const [line, want] of Object.entries(right))
  test(`sandbox: ${line}`, () => assert.deepEqual(parseArguments(line.split(' ')), want))

test('sandbox: without a flag it runs as good as for ever, within what a timer can hold', () => {
  const parsed = parseArguments([])
  assert.ok(parsed.kind === 'run' && parsed.forMs > 20 * 86_400_000 && parsed.forMs < 2 ** 31)
})

test('sandbox: the README has what --help says, exit codes included', async () => {
  const readme = await readFile(new URL('../../../sandbox/README.md', import.meta.url), 'utf8')
  assert.ok(readme.includes(`\`\`\`text\n${usage}\n\`\`\`\n`), `write into sandbox/README.md:\n\n${usage}`)
  for (const judged of ['a manifest was refused', 'a template that is not accepted', 'none at all is right', '143'])
    assert.ok(usage.includes(judged), judged)
})

const duration = 'write a number of seconds or minutes below 10000, such as 20s or 2m'
const ask = 'write --for 20s, --file my.yaml, --real, --help, or nothing'

const wrong: Record<string, string> = {
  '--for': `--for has no value; ${duration}`,
  '--for=': `--for is ""; ${duration}`,
  '--for x': `--for is "x"; ${duration}`,
  '--for 20': `--for is "20"; ${duration}`,
  '--for 0s': `--for is "0s"; ${duration}`,
  '--for 40000m': `--for is "40000m"; ${duration}`,
  '--fro 20s': `--fro is no flag; ${ask}`,
  '--file': '--file has no value; write the path of a file',
  '-x': `-x is no flag; ${ask}`,
  '--for 10s --for 20s': '--for is given twice; write it once',
  '--for=10s --for 10s': '--for is given twice; write it once',
  '--file a.yaml --real --file b.yaml': '--file is given twice; write it once',
  '--operator a.js --operator b.js': '--operator is given twice; write it once',
  '--real --real': '--real is given twice; write it once',
  '20s': `"20s" is one word too many; ${ask}`,
}

for (const [line, message] of Object.entries(wrong))
  test(`sandbox: ${line} is refused with what to write`, () => {
    assert.throws(
      () => parseArguments(line.split(' ')),
      (error) => error instanceof UsageError && error.message === message,
    )
  })

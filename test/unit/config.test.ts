import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, parseCommand } from '../../src/config.ts'

const parse = (argv: string[], env: Record<string, string> = {}) => parseCommand(argv, env, '1.2.3')

test('nothing given: the defaults', () => {
  assert.deepEqual(parse([]), {
    kind: 'run',
    config: {
      kubeconfig: undefined,
      context: undefined,
      port: 44_444,
      host: '0.0.0.0',
      connections: 32,
      createTimeoutSeconds: 10,
      podName: 'second-cron-job-operator',
      logLevel: 'info',
    },
  })
})

test('port 0, for a free one, and a configuration that nobody changes', () => {
  const command = parse([], { PORT: '0' })
  assert.ok(command.kind === 'run')
  assert.equal(command.config.port, 0)
  assert.ok(Object.isFrozen(command.config))
})

test('a flag wins over its variable, a variable over the default, and an empty one is none', () => {
  const command = parse(['--port', '1'], { PORT: '2', HOST: '127.0.0.1', LOG_LEVEL: '' })
  assert.ok(command.kind === 'run')
  assert.deepEqual([command.config.port, command.config.host, command.config.logLevel], [1, '127.0.0.1', 'info'])
})

const wrong: Record<string, { argv?: string[]; env?: Record<string, string>; want: string }> = {
  'a port out of range': { argv: ['--port', '70000'], want: '--port is "70000"; write a whole number from 0 to 65535' },
  'a port that is none': { env: { PORT: 'http' }, want: 'PORT is "http"; write a whole number from 0 to 65535' },
  'an empty port, which is not port 0': {
    argv: ['--port='],
    want: '--port is ""; write a whole number from 0 to 65535',
  },
  'a port in hexadecimal': { env: { PORT: '0x10' }, want: 'PORT is "0x10"; write a whole number from 0 to 65535' },
  'a host of nothing but space': { env: { HOST: ' ' }, want: 'HOST is " "; write an address' },
  'a value of two lines': { env: { PORT: '1\n2' }, want: 'PORT is "1\\n2"; write a whole number from 0 to 65535' },
  'a value that looks like a flag': {
    argv: ['--port', '-1'],
    want: "Option '--port' argument is ambiguous; --help lists the flags",
  },
  'too few connections': {
    argv: ['--connections=1'],
    want: '--connections is "1"; write a whole number from 5 to 256',
  },
  'an unknown level': {
    argv: ['--log-level', 'loud'],
    want: '--log-level is "loud"; write one of trace, debug, info, warn, error, fatal, silent',
  },
  'an unknown flag': { argv: ['--prot', '1'], want: "Unknown option '--prot'; --help lists the flags" },
  'a stray word': { argv: ['run'], want: "Unexpected argument 'run'; --help lists the flags" },
  'a flag without its value': {
    argv: ['--port'],
    want: "Option '--port <value>' argument missing; --help lists the flags",
  },
}
for (const [name, { argv = [], env = {}, want }] of Object.entries(wrong))
  test(`one sentence: ${name}`, () => {
    assert.throws(
      () => parse(argv, env),
      (error) => error instanceof ConfigError && assert.equal(error.message, want) === undefined,
    )
  })

test('--help lists every flag with its variable and default', () => {
  const help = parse(['--help'])
  assert.ok(help.kind === 'print')
  for (const part of [
    '--kubeconfig',
    'KUBECONFIG',
    '--port',
    'PORT',
    '(44444)',
    '--connections',
    '(32)',
    '--log-level',
    'LOG_LEVEL',
  ])
    assert.ok(help.text.includes(part), part)
  assert.deepEqual(parse(['--version']), { kind: 'print', text: '1.2.3' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { helpText, parseCommand } from '../../src/command-line.ts'
import { ConfigError } from '../../src/config.ts'

const parse = (argv: string[], env: Record<string, string> = {}) => parseCommand(argv, env)

test('nothing given: the defaults', () => {
  assert.deepEqual(parse([]), {
    kind: 'run',
    config: {
      kubeconfig: undefined,
      context: undefined,
      namespaces: undefined,
      port: 44_444,
      host: '::',
      connections: 32,
      createTimeoutSeconds: 10,
      podName: 'second-cron-job-operator',
      podNamespace: 'myyrakle',
      leaseDuration: 6_000,
      renewDeadline: 4_500,
      retryPeriod: 1_000,
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
  'a duration without a unit': {
    argv: ['--retry-period', '1'],
    want: '--retry-period is "1"; write a duration such as 6s, 4.5s or 500ms',
  },
  'a lease of half a second more': {
    argv: ['--lease-duration', '6500ms'],
    want: '--lease-duration is "6500ms"; write whole seconds, such as 6s',
  },
  'a lease that ends before its holder has stopped': {
    argv: ['--lease-duration', '5s'],
    want: 'the lease times do not fit: --lease-duration 5s must be at least --renew-deadline 4.5s + 1s = 5.5s',
  },
  'a deadline without a second try': {
    env: { RENEW_DEADLINE: '2s' },
    want: 'the lease times do not fit: --renew-deadline 2s must be at least 3 × --retry-period 1s = 3s',
  },
  // It went into the User-Agent, which every request was then refused for by our own client, for ever.
  'a name of a Pod that no header can hold': {
    argv: ['--pod-name', '💥'],
    want: '--pod-name is "💥"; write a name of lower case letters, digits, - and .',
  },
  'a name of a Pod that is a path': {
    env: { POD_NAME: 'a/../b' },
    want: 'POD_NAME is "a/../b"; write a name of lower case letters, digits, - and .',
  },
  'a namespace that leads out of its path': {
    argv: ['--pod-namespace', '../../x y'],
    want: '--pod-namespace is "../../x y"; write the name of a namespace',
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
  'an unknown command': { argv: ['start'], want: '"start" is no command; write one of run, crd, uninstall, or --help' },
  'a name of every object': {
    argv: ['toString'],
    want: '"toString" is no command; write one of run, crd, uninstall, or --help',
  },
  'two commands': { argv: ['run', 'crd'], want: '"crd" is one word too many; --help lists the commands' },
  'a switch of another command': { argv: ['--apply'], want: '--apply does not go with run; --help lists the flags' },
  'a setting of another command': {
    argv: ['crd', '--port', '1'],
    want: '--port does not go with crd; --help lists the flags',
  },
  'a switch with a value': {
    argv: ['uninstall', '--yes=no'],
    want: "Option '--yes' does not take an argument; --help lists the flags",
  },
  'namespaces with a hole': {
    argv: ['--namespaces', 'a,,b'],
    want: '--namespaces is "a,,b"; write names of namespaces, separated by commas',
  },
  'a namespace that can be none': {
    env: { NAMESPACES: 'Team_A' },
    want: 'NAMESPACES is "Team_A"; write names of namespaces, separated by commas',
  },
  'too many namespaces to watch one by one': {
    argv: ['--namespaces', Array.from({ length: 51 }, (_, n) => `n${n}`).join(',')],
    want: `--namespaces is "${Array.from({ length: 51 }, (_, n) => `n${n}`)
      .join(',')
      .slice(0, 79)}; write at most 50 namespaces, or none for all`,
  },
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

test('a Pod may have dots in its name', () => {
  const command = parse(['--pod-name', 'operator-0.node.example'])
  assert.ok(command.kind === 'run')
  assert.equal(command.config.podName, 'operator-0.node.example')
})

/** A Service called `pod` or without a name to its variables puts them into every container beside it. */
test('a command reads only the variables of its own flags', () => {
  const env = {
    PORT: 'tcp://10.0.0.1:80',
    HOST: ' ',
    POD_NAME: 'tcp://10.0.0.1',
    LEASE_DURATION: 'x',
    CONNECTIONS: '1',
  }
  for (const argv of [
    ['uninstall', '--yes'],
    ['crd', '--apply'],
  ]) {
    const command = parse(argv, { ...env, KUBE_CONTEXT: 'mine' })
    assert.ok('config' in command)
    assert.deepEqual([command.config.port, command.config.context], [44_444, 'mine'])
  }
  assert.throws(() => parse(['run'], env), ConfigError)
})

test('the commands', () => {
  assert.equal(parse(['run', '--port', '1']).kind, 'run')
  assert.deepEqual(parse(['crd']), { kind: 'print-crd' })
  assert.equal(parse(['crd', '--apply', '--context', 'c']).kind, 'apply-crd')
  const [asked, sure] = [parse(['uninstall']), parse(['uninstall', '--yes', '--namespaces', 'a, b,a'])]
  assert.ok(asked.kind === 'uninstall' && sure.kind === 'uninstall')
  assert.deepEqual([asked.isConfirmed, sure.isConfirmed, sure.config.namespaces], [false, true, ['a', 'b']])
  assert.deepEqual(parse(['crd', '-h']), { kind: 'help' })
  assert.deepEqual(parse(['--version']), { kind: 'version' })
})

test('the help lists every command, and every flag with its variable and default', () => {
  for (const part of [
    'crd [--apply]',
    'uninstall [--yes]',
    '--kubeconfig',
    'KUBECONFIG',
    '--namespaces',
    'NAMESPACES',
    '--port',
    'PORT',
    '(44444)',
    '--connections',
    '(32)',
    '--log-level',
    'LOG_LEVEL',
  ])
    assert.ok(helpText().includes(part), part)
})

test('every default that the help prints is one that its flag takes', () => {
  const lines = helpText().split('\n')
  const defaults = lines.flatMap((line) => {
    const [, flag, value] = /^ {2}--([a-z-]+) +[A-Z_]+ .*\((\S+)\)$/.exec(line) ?? []
    return flag === undefined || value === undefined ? [] : [[`--${flag}`, value]]
  })
  assert.ok(defaults.length >= 8)
  for (const words of defaults) assert.equal(parse(['run', ...words]).kind, 'run', words.join(' '))
})

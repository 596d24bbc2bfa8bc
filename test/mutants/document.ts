import { readFile, writeFile } from 'node:fs/promises'
import { mutants } from './mutants.ts'

const file = new URL('../../docs/mutants.md', import.meta.url)

const head = `# Each guard, and the test that misses it

<!-- Made from test/mutants by \`node test/mutants/document.ts\`; do not edit by hand. -->

What \`npm run test:mutants\` breaks, one guard at a time, and the test files that have to turn red, each of them; it ends with
exit code 1 when one stays green, and it runs in CI. The output names the tests.

| the operator, broken | in | noticed by |
|---|---|---|
`

/** docs/mutants.md, as the table of the mutants has it. */
export function documentOfMutants(): string {
  const rows = mutants.map(({ name, changes, killers }) => {
    const files = [...new Set(changes.map((change) => change.file))]
    return `| ${[name, list(files), list(killers)].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  })
  return head + rows.join('')
}

/** What is there, which is to be the same. */
export function writtenDocument(): Promise<string> {
  return readFile(file, 'utf8')
}

function list(files: readonly string[]): string {
  return files.map((path) => `\`${path.replace(/^(src|test)\//, '')}\``).join(', ')
}

if (import.meta.main) await writeFile(file, documentOfMutants())

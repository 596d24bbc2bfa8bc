import { readFile, writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { customResourceDefinition } from './crd.ts'

/** Writes what is made from the source; with `--check`, only says whether what is there is still that. */

const path = new URL('../deploy/crd.yaml', import.meta.url)
const header = '# Made from src/api/schema.ts by `npm run generate`; edit that, not this.\n'

const wanted = header + stringify(customResourceDefinition(), { lineWidth: 120, aliasDuplicateObjects: false })

if (process.argv.includes('--check')) {
  const found = await readFile(path, 'utf8').catch(() => '')
  if (found !== wanted) {
    process.stderr.write('deploy/crd.yaml is not what src/api/schema.ts says: run `npm run generate` and commit it\n')
    process.exitCode = 1
  }
} else await writeFile(path, wanted)

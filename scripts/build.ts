import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'rolldown'

/** Makes the one file that is shipped, `dist/operator.js`, and its source map. */

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the source reads from a file beside it is put into the bundle as text: the file is not shipped. */
const textOfCrd: Plugin = {
  name: 'text-of-crd',
  load: {
    filter: { id: /\/src\/crd-text\.ts$/ },
    handler: async () => `export const crdText = ${JSON.stringify(await readFile(`${root}/deploy/crd.yaml`, 'utf8'))}`,
  },
}

await build({
  cwd: root,
  input: 'src/main.ts',
  platform: 'node',
  plugins: [textOfCrd],
  // client-node does not say that its thousands of generated files do nothing when they are loaded.
  treeshake: { moduleSideEffects: [{ test: /node_modules\/@kubernetes\/client-node\//, sideEffects: false }] },
  output: { file: 'dist/operator.js', format: 'esm', sourcemap: true, codeSplitting: false },
})

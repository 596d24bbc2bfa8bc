import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'rolldown'

/** Makes the one file that is shipped, `dist/operator.js`, and its source map. Why it is made like this: ADR 8. */

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the source reads from a file beside it is put into the bundle as text: the file is not shipped. */
const textOfCrd: Plugin = {
  name: 'text-of-crd',
  load: {
    filter: { id: /\/src\/crd-text\.ts$/ },
    handler: async () => `export const crdText = ${JSON.stringify(await readFile(`${root}deploy/crd.yaml`, 'utf8'))}`,
  },
}

/** Packages whose index loads far more than is used, and what is put in its place. */
const parts: Readonly<Record<string, string>> = {
  '@kubernetes/client-node': `export { KubeConfig } from '@kubernetes/client-node/dist/config.js'`,
  // client-node names the agents and fetch; nothing here calls them.
  undici: `
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
    import api from 'undici/lib/api/index.js'
    Object.assign(Dispatcher.prototype, api)
    export { default as Pool } from 'undici/lib/dispatcher/pool.js'
    export { default as Agent } from 'undici/lib/dispatcher/agent.js'
    export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js'
    export const fetch = () => { throw new Error('fetch is not in the bundle') }`,
}

const partsOfPackages: Plugin = {
  name: 'parts-of-packages',
  resolveId: { filter: { id: /^(undici|@kubernetes\/client-node)$/ }, handler: (id) => `${root}${id}/part.mjs` },
  load: {
    filter: { id: /\/part\.mjs$/ },
    handler: (id) => parts[id.slice(root.length, -'/part.mjs'.length)],
  },
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}

await build({
  cwd: root,
  input: 'src/main.ts',
  platform: 'node',
  plugins: [textOfCrd, partsOfPackages],
  // client-node does not say that its thousands of generated files do nothing when they are loaded.
  treeshake: { moduleSideEffects: [{ test: /node_modules\/@kubernetes\/client-node\//, sideEffects: false }] },
  output: {
    file: 'dist/operator.js',
    // Not a module: an import of node:http reads all that it exports, and so loads the fetch that is built in.
    format: 'cjs',
    sourcemap: true,
    codeSplitting: false,
    // Names stay, so that a stack in the log can be read; --enable-source-maps would cost 49 MB.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
})

// V8 keeps a source with any letter beyond Latin-1 at two bytes a letter.
const bundle = `${root}dist/operator.js`
await writeFile(bundle, (await readFile(bundle, 'utf8')).replaceAll(/[^\0-\x7f]/g, escaped))
await writeFile(`${root}dist/package.json`, '{ "type": "commonjs" }\n')

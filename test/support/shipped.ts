import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** How the operator is started as it is shipped: what the image's Dockerfile says. */

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const bundle = `${root}dist/operator.js`

const dockerfile = readFileSync(`${root}Dockerfile`, 'utf8')

/** Of node, as the image's entry point has them. */
export const nodeFlags: readonly string[] = entryPoint().filter((part) => part.startsWith('--'))

/** What the image sets, but for what names a path in it. */
export const imageEnv: Readonly<Record<string, string>> = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (\w+)=(\S+)$/gm)].flatMap(([, name = '', value = '']) =>
    value.startsWith('/') ? [] : [[name, value]],
  ),
)

function entryPoint(): readonly string[] {
  const [, text = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? []
  return JSON.parse(text) as string[]
}

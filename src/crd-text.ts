import { readFileSync } from 'node:fs'

/** The CustomResourceDefinition as YAML. `npm run build` puts the text in the place of this reading. */
export const crdText = readFileSync(new URL('../deploy/crd.yaml', import.meta.url), 'utf8')

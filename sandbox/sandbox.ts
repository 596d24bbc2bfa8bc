import { listenForTheEnd } from './told-to-end.ts'

// It listens before the rest is loaded, which takes longer than a Ctrl-C.
const whenUp = listenForTheEnd()
const { main } = await import('./run.ts')
await main(whenUp)

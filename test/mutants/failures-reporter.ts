import type { TestEvent } from 'node:test/reporters'

/**
 * One line of JSON for each test that failed. A file as a whole is no test: one that can't be loaded has no line, so that
 * a mutant that is no program is never taken for one that was found out. Node wants a default export.
 */
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.details.type === 'suite') continue
    const isFile = data.name === data.file || data.file?.endsWith(`/${data.name}`) === true
    if (!isFile) yield `${JSON.stringify({ file: data.file, test: data.name })}\n`
  }
}

import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { type Checks, type Verdict, verdictOf } from './health.ts'

export interface ServerParts {
  /** Fail when a restart would help. */
  readonly healthz: Checks
  /** Fail when nobody should rely on this process. */
  readonly readyz: Checks
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
  readonly log: Logger
}

/** `/healthz` and `/readyz`, whole or by the name of one check, and `/metrics`. Does not listen. */
export function buildServer({ healthz, readyz, metrics, log }: ServerParts): FastifyInstance {
  const server = fastify({ logger: false, forceCloseConnections: true })
  serve(server, '/healthz', healthz, log)
  serve(server, '/readyz', readyz, log)
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain').send('not found: try /healthz, /readyz or /metrics\n'),
  )
  return server
}

function serve(server: FastifyInstance, path: string, checks: Checks, log: Logger): void {
  const tell = tellOnChange(path, log)
  server.get(path, (_request, reply) => {
    const verdict = verdictOf(checks) ?? { ok: true, failing: [] }
    tell(verdict)
    return answer(reply, verdict)
  })
  server.get<{ Params: { name: string } }>(`${path}/:name`, (request, reply) => {
    const verdict = verdictOf(checks, request.params.name)
    if (verdict !== null) return answer(reply, verdict)
    const known = Object.keys(checks).join(', ')
    return reply.code(404).type('text/plain').send(`no such check; there are: ${known}\n`)
  })
}

/** The names of what fails are public, the reasons are for the log. */
function answer(reply: FastifyReply, { ok, failing, text = 'ok' }: Verdict): FastifyReply {
  const told = ok ? text : `not ok: ${failing.map(({ name }) => name).join(', ')}`
  return reply
    .code(ok ? 200 : 503)
    .type('text/plain')
    .send(`${told}\n`)
}

function tellOnChange(path: string, log: Logger): (verdict: Verdict) => void {
  let last = ''
  return ({ ok, failing }) => {
    const now = failing.map(({ name }) => name).join(', ')
    if (now === last) return
    last = now
    if (ok) log.info({ path }, 'probe answers ok again')
    else log.warn({ path, failing }, 'probe answers not ok')
  }
}

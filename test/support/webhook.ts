import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { once } from 'node:events'
import type { ControlPlane } from '../control-plane/control-plane.ts'

/** An admission webhook for Jobs that denies, or never answers. */
export class Webhook {
  readonly #server: Server
  readonly #plane: ControlPlane
  readonly #port: number

  static async start(plane: ControlPlane): Promise<Webhook> {
    // The API server's own certificate is good for 127.0.0.1, and here everybody trusts it.
    const key = await readFile(`${plane.folder}/certs/apiserver.key`)
    const server = createServer({ key, cert: await plane.ca() }, (request, response) => void answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Webhook(plane, server, (server.address() as { port: number }).port)
  }

  private constructor(plane: ControlPlane, server: Server, port: number) {
    this.#plane = plane
    this.#server = server
    this.#port = port
  }

  /**
   * From now on creates of Jobs in this namespace are denied, or hang for the webhook's ten seconds; only those with all of
   * `labels`, if there are any.
   */
  async guard(namespace: string, way: 'deny' | 'hang', labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const caBundle = Buffer.from(await this.#plane.ca()).toString('base64')
    await this.#plane.admin.create({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `${way}.example.com` },
      webhooks: [
        {
          name: `${way}.example.com`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
          timeoutSeconds: 10,
          clientConfig: { url: `https://127.0.0.1:${this.#port}/${way}`, caBundle },
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          objectSelector: { matchLabels: labels },
          rules: [{ apiGroups: ['batch'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['jobs'] }],
        },
      ],
    })
  }

  /** The opposite of `guard`. */
  lift(way: 'deny' | 'hang'): Promise<void> {
    return this.#plane.admin.delete(
      `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${way}.example.com`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.url?.startsWith('/hang') === true) return
  const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { request: { uid: string } }
  const status = { message: 'Jobs need a cost-centre label' }
  const body = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: review.request.uid, allowed: false, status },
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}

import { Admin } from '../support/admin.ts'
import { apiServerArguments } from './arguments.ts'
import { Component, freePort } from './component.ts'
import { LateEtcd } from './late-etcd.ts'

interface SecondServerParts {
  readonly binary: string
  /** Of the control plane: certificates, keys, tokens and the audit log are those of the first one. */
  readonly folder: string
  readonly etcdUrl: string
  readonly token: string
  readonly args: readonly string[]
}

const readyMs = 60_000

/** Another API server of the same cluster, whose caches can be made to get no news: it is stale then. */
export class SecondServer {
  readonly url: string
  readonly admin: Admin
  readonly #etcd: LateEtcd
  readonly #component: Component

  static async start({ binary, folder, etcdUrl, token, args }: SecondServerParts): Promise<SecondServer> {
    const etcd = await LateEtcd.start(etcdUrl)
    const port = await freePort()
    const command = [binary, ...apiServerArguments(folder, etcd.port, port), ...args] as const
    const url = `https://127.0.0.1:${port}`
    const admin = new Admin(url, `${folder}/certs/apiserver.crt`, token)
    const component = new Component('kube-apiserver-2', folder, command)
    component.start()
    await component.until(() => admin.isReady(), readyMs)
    return new SecondServer(url, admin, { etcd, component })
  }

  private constructor(
    url: string,
    admin: Admin,
    { etcd, component }: { readonly etcd: LateEtcd; readonly component: Component },
  ) {
    this.url = url
    this.admin = admin
    this.#etcd = etcd
    this.#component = component
  }

  /** It learns nothing of what is written from now on, by whomever. */
  hold(): void {
    this.#etcd.hold()
  }

  /** It learns all of it, and is as the first one. */
  release(): void {
    this.#etcd.release()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.admin.close()
    await this.#component.end('SIGKILL')
    await this.#etcd[Symbol.asyncDispose]()
  }
}

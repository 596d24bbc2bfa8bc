/** What `etcdctl` would be asked for, by the gateway of etcd itself. */
export class EtcdHands {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** Forgets all but the newest version of everything. */
  async compact(): Promise<void> {
    const { header } = (await this.#ask('kv/range', { key: 'AA==' })) as { header: { revision: string } }
    await this.#ask('kv/compaction', { revision: header.revision, physical: true })
  }

  /** After a quota was reached: gives back what was freed, and takes writes again. */
  async makeRoom(): Promise<void> {
    await this.compact()
    await this.#ask('maintenance/defragment', {})
    const { alarms = [] } = (await this.#ask('maintenance/alarm', { action: 'GET' })) as { alarms?: readonly object[] }
    for (const alarm of alarms) await this.#ask('maintenance/alarm', { ...alarm, action: 'DEACTIVATE' })
  }

  async #ask(what: string, body: object): Promise<unknown> {
    const answer = await fetch(`${this.#url}/v3/${what}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`etcd, ${what}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

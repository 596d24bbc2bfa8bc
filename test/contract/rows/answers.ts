import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { group, lacking, only } from '../row.ts'

interface Named {
  readonly name: string
  readonly kind?: string
  readonly namespaced?: boolean
  readonly verbs?: readonly string[]
  readonly shortNames?: readonly string[]
  readonly singularName?: string
  readonly categories?: readonly string[]
}

export const answers = group('answers', {
  'what is not there: 404 with a Status that names it': async (world) => {
    const { code, body } = await world.send(world.path('jobs', 'a'))
    assert.deepEqual(
      [code, body],
      [
        404,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'jobs.batch "a" not found',
          reason: 'NotFound',
          details: { name: 'a', group: 'batch', kind: 'jobs' },
          code: 404,
        },
      ],
    )
  },
  'of the core group: 404 without a group in its details': async (world) => {
    const { body } = await world.send(world.path('pods', 'a'))
    assert.deepEqual((body as { details: object }).details, { name: 'a', kind: 'pods' })
    assert.equal((body as { message: string }).message, 'pods "a" not found')
  },
  'a group that nobody serves: 404 in plain text': async (world) => {
    const { code, body } = await world.send('/apis/nowhere.example.com/v1/things')
    assert.deepEqual([code, body], [404, '404 page not found\n'])
  },
  'a kind that a served group does not have: 404': only('real', lacking, async (world) => {
    const { code, body } = await world.send(`/apis/batch/v1/namespaces/${world.namespace}/things`)
    assert.equal(code, 404)
    assert.equal((body as { message: string }).message, 'the server could not find the requested resource')
  }),
  'a method that a collection does not know: 405': async (world) => {
    const { code, body } = await world.send(world.path('jobs'), { method: 'PUT', body: {} })
    assert.equal(code, 405)
    assert.equal(
      (body as { message: string }).message,
      'the server does not allow this method on the requested resource',
    )
  },
  'each answer tells the server’s time': async (world) => {
    const { headers } = await world.send(world.path('jobs'))
    const told = Date.parse(String(headers['date']))
    assert.ok(
      Math.abs(told - world.now()) < 2_000,
      `${String(headers['date'])} at ${new Date(world.now()).toISOString()}`,
    )
  },
  'the version, and that it is ready': async (world) => {
    assert.match(((await world.ok('/version')) as unknown as { gitVersion: string }).gitVersion, /^v1\.\d+\.\d+/)
    for (const path of ['/readyz', '/healthz', '/livez']) assert.equal((await world.send(path)).body, 'ok')
  },
  'discovery: the groups': async (world) => {
    const { groups } = (await world.ok('/apis')) as unknown as { groups: { name: string; preferredVersion: object }[] }
    const names = new Set(groups.map(({ name }) => name))
    for (const name of [
      'batch',
      'coordination.k8s.io',
      'events.k8s.io',
      'apiextensions.k8s.io',
      'apps',
      'myyrakle.com',
    ])
      assert.ok(names.has(name), name)
    const own = groups.find(({ name }) => name === 'myyrakle.com')
    assert.deepEqual(own?.preferredVersion, { groupVersion: 'myyrakle.com/v1', version: 'v1' })
    assert.deepEqual((await world.ok('/api'))['versions'], ['v1'])
  },
  'discovery: what a CRD serves, with short names, categories and the status': async (world) => {
    const { kind, groupVersion, resources } = (await world.ok('/apis/myyrakle.com/v1')) as unknown as {
      kind: string
      groupVersion: string
      resources: Named[]
    }
    assert.deepEqual([kind, groupVersion], ['APIResourceList', 'myyrakle.com/v1'])
    assert.deepEqual(resources.map(({ name }) => name).toSorted(), ['secondcronjobs', 'secondcronjobs/status'])
    const own = resources.find(({ name }) => name === 'secondcronjobs')
    assert.partialDeepStrictEqual(own, {
      singularName: 'secondcronjob',
      namespaced: true,
      kind: 'SecondCronJob',
      shortNames: ['scj'],
      categories: ['all'],
    })
    for (const verb of ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'])
      assert.ok(own?.verbs?.includes(verb), verb)
  },
  'discovery: Jobs and Pods are namespaced, namespaces are not': async (world) => {
    const [batch, core] = await Promise.all(['/apis/batch/v1', '/api/v1'].map((path) => world.ok(path)))
    const all = [batch, core].flatMap((list) => list?.['resources'] as Named[])
    const scopes = ['jobs', 'pods', 'namespaces', 'events'].map(
      (name) => all.find((each) => each.name === name)?.namespaced,
    )
    assert.deepEqual(scopes, [true, true, false, true])
  },
  'the schema of the CRD, for kubectl explain': async (world) => {
    const { paths } = (await world.ok('/openapi/v3')) as unknown as {
      paths: Record<string, { serverRelativeURL: string }>
    }
    const url = paths['apis/myyrakle.com/v1']?.serverRelativeURL ?? ''
    const { components } = (await world.ok(url)) as unknown as { components: { schemas: Record<string, SchemaOf> } }
    const kind = { group: 'myyrakle.com', kind: 'SecondCronJob', version: 'v1' }
    const found = Object.values(components.schemas).find((schema) => {
      return isDeepStrictEqual(schema['x-kubernetes-group-version-kind'], [kind])
    })
    assert.match(
      found?.properties['spec']?.properties?.['intervalSeconds']?.description ?? '',
      /^Seconds between two runs/,
    )
  },
  'a CRD is established, and its names are accepted': async (world) => {
    const crd = await world.found('customresourcedefinitions', 'secondcronjobs.myyrakle.com')
    const { conditions, acceptedNames, storedVersions } = crd['status'] as {
      conditions: { type: string; status: string }[]
      acceptedNames: { plural: string }
      storedVersions: string[]
    }
    const holds = new Map(conditions.map(({ type, status }) => [type, status]))
    assert.deepEqual([holds.get('NamesAccepted'), holds.get('Established')], ['True', 'True'])
    assert.deepEqual([acceptedNames.plural, storedVersions], ['secondcronjobs', ['v1']])
  },
  'a Deployment and a Service are kept as they are': async (world) => {
    const metadata = { name: 'a', namespace: world.namespace }
    const selector = { matchLabels: { app: 'a' } }
    const containers = [{ name: 'a', image: 'a' }]
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers } }
    await world.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 0, selector, template },
    })
    await world.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: { app: 'a' }, ports: [{ port: 80 }] },
    })
    assert.partialDeepStrictEqual((await world.found('deployments', 'a'))['spec'], { replicas: 0, selector })
    assert.partialDeepStrictEqual((await world.found('services', 'a'))['spec'], { ports: [{ port: 80 }] })
    assert.deepEqual(await world.names('deployments'), ['a'])
  },
  'what it does not have: 501 with a Status that names it': only('embedded', 'the real one has them', async (world) => {
    const metadata = { name: 'absent', namespace: world.namespace }
    const applied = { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', metadata }
    const said = await Promise.all([
      world.send(`/apis/batch/v1/namespaces/${world.namespace}/cronjobs`),
      // Of what is not there either: 404 would be no answer to somebody who wants it made.
      world.send(world.path('secondcronjobs', 'absent'), { method: 'PATCH', type: 'apply-patch+yaml', body: applied }),
      world.send(`${world.path('jobs')}?resourceVersionMatch=Exact&resourceVersion=1`),
    ])
    const named = said.map(({ code, body }) => {
      const { kind, reason, message } = body as { kind: string; reason: string; message: string }
      return `${code} ${kind} ${reason}: ${message}`
    })
    assert.match(named[0] ?? '', /^501 Status NotImplemented: .*cronjobs/)
    assert.match(named[1] ?? '', /^501 Status NotImplemented: .*server-side apply/)
    assert.match(named[2] ?? '', /^501 Status NotImplemented: .*list of an exact version/)
  }),
})

interface SchemaOf {
  readonly properties: Record<string, { readonly properties?: Record<string, { readonly description?: string }> }>
  readonly 'x-kubernetes-group-version-kind'?: unknown
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { waitFor } from './admin.ts'
import { Cluster } from './cluster.ts'
import { imageEnv, nodeFlags, bundle, root } from './shipped.ts'
import { type RunningPod, TestNode } from './test-node.ts'

const run = promisify(execFile)
const deployment = '/apis/apps/v1/namespaces/myyrakle/deployments/second-cron-job-operator'

/** Those that make Pods of a Deployment, and what the Pods mount. */
const controllers = ['deployment-controller', 'replicaset-controller', 'root-ca-certificate-publisher-controller']

/** A bare cluster, a node for the operator's Pods, and a person with kubectl in front of it. */
export class Deployed {
  readonly cluster: Cluster
  readonly node: TestNode

  static async start(): Promise<Deployed> {
    return new Deployed(await Cluster.start({ first: [], controllers }))
  }

  private constructor(cluster: Cluster) {
    this.cluster = cluster
    this.node = new TestNode(cluster.plane)
  }

  /** Runs a line of shell as the cluster's admin, in the checkout; rejects with its output when it fails. */
  async sh(line: string, limitMs = 60_000): Promise<string> {
    const env = { ...process.env, KUBECONFIG: this.cluster.plane.kubeconfig }
    const { stdout } = await run('bash', ['-c', line], { cwd: root, env, timeout: limitMs })
    return stdout
  }

  /** The bundle with a command, such as `uninstall`; its output, or rejects with it. */
  async command(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, ...imageEnv, KUBECONFIG: this.cluster.plane.kubeconfig }
    const { stdout } = await run(process.execPath, [...nodeFlags, bundle, ...args], { env, timeout: 60_000 })
    return stdout
  }

  /** Applies a kustomization as the README says, and waits as it says. */
  async install(folder = 'deploy'): Promise<RunningPod> {
    await this.sh(`kubectl apply -k ${folder}`)
    await this.sh('kubectl -n myyrakle rollout status deployment/second-cron-job-operator --timeout=60s', 70_000)
    return waitFor('the Pod', 5_000, async () => this.node.pods.at(-1) ?? null)
  }

  /** Nothing of the installation is left, and no process of it. */
  async isUninstalled(): Promise<void> {
    await waitFor('the installation to be gone', 60_000, async () => {
      const left = await Promise.all(
        ['/api/v1/namespaces/myyrakle', crd, deployment].map((path) => this.cluster.admin.get(path)),
      )
      return left.every((object) => object === null) && this.node.pods.length === 0
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.node[Symbol.asyncDispose]()
    await this.cluster[Symbol.asyncDispose]()
  }
}

export const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/secondcronjobs.myyrakle.com'

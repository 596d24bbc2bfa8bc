import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Instant } from '../schedule/state.ts'

/** The `exec` part of a kubeconfig's user. */
export interface Helper {
  readonly command?: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly apiVersion?: string
}

export interface HelperCredential {
  readonly token: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  /** null: for as long as this process runs. */
  readonly expiresAt: Instant | null
}

/** A helper that asks a question that nobody sees, or a network that is away, is given up then. */
const longestRunMs = 15_000
/** Longer than the time between two looks, so that no request goes out with a token that has ended. */
const marginMs = 60_000

export function isOld({ expiresAt }: HelperCredential, now: Instant): boolean {
  return expiresAt !== null && expiresAt - marginMs <= now
}

/** Runs the helper (KEP-541), without a terminal, within 15 s. Rejects with an Error of one sentence. */
export async function askHelper(
  helper: Helper,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HelperCredential> {
  const { command = '', args, apiVersion = 'client.authentication.k8s.io/v1' } = helper
  const question = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } }
  const own = (helper.env ?? []).map(({ name, value }) => [name, value] as const)
  const running = promisify(execFile)(command, [...(args ?? [])], {
    env: { ...env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(question) },
    timeout: longestRunMs,
    killSignal: 'SIGKILL',
  })
  running.child.stdin?.end()
  const { stdout } = await running.catch((cause: unknown) => {
    throw new Error(`${command} ${whyItFailed(cause)}`, { cause })
  })
  return credentialIn(stdout, command)
}

function whyItFailed(cause: unknown): string {
  const { killed, code, stderr } = cause as { killed?: boolean; code?: unknown; stderr?: string }
  if (killed === true) return `gave no credentials within ${longestRunMs / 1_000} s`
  return `failed (${String(code)}): ${stderr?.trim().split('\n')[0] ?? ''}`.replace(/: $/, '')
}

/** The answer holds secrets: no error quotes it. */
function credentialIn(answer: string, command: string): HelperCredential {
  const status = statusIn(answer)
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status
  if (typeof token !== 'string' && (cert === undefined || key === undefined))
    throw new Error(`${command} did not print an ExecCredential with a token or a certificate`)
  const expiresAt = Date.parse(expirationTimestamp ?? '')
  return { token, cert, key, expiresAt: Number.isNaN(expiresAt) ? null : expiresAt }
}

interface Printed {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
  readonly expirationTimestamp?: string
}

function statusIn(answer: string): Printed {
  try {
    return (JSON.parse(answer) as { status?: Printed } | null)?.status ?? {}
  } catch {
    return {}
  }
}

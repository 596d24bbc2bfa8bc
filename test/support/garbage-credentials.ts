import type { Credentials } from '../../src/kube/credentials.ts'

/** What no request, or no connection, can be made with. */
export const garbage: Record<string, Partial<Credentials>> = {
  'a token that no header can hold': { authorization: 'Bearer no token\nat all é💥' },
  'a user that no header can hold': { impersonate: 'somebody\n' },
  'a CA that is none': { ca: 'garbage' },
  'a certificate that is none': { cert: 'garbage', key: 'garbage' },
}

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { imageName, output, show, works } from '../../scripts/image/tools.ts'
import { canContain } from '../support/container.ts'

/** What the image says of itself, as the OCI's image configuration has it. */
export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly ExposedPorts: Readonly<Record<string, object>>
  readonly Labels: Readonly<Record<string, string>>
}

export const skipUnbuildable =
  canContain && (await works('buildah', '--version'))
    ? false
    : 'to build the image and to start it needs Linux, root and buildah'

/** The image, built on a base made here, in a store of its own that goes with it. */
export class BuiltImage {
  readonly #folder: string
  readonly #name: string

  static async build(): Promise<BuiltImage> {
    const folder = await mkdtemp(`${tmpdir()}/image-test-`)
    const driver = process.env['STORAGE_DRIVER'] ?? 'overlay'
    const settings = `driver = "${driver}"\ngraphroot = "${folder}/store"\nrunroot = "${folder}/run"`
    await writeFile(`${folder}/storage.conf`, `[storage]\n${settings}\n`)
    process.env['CONTAINERS_STORAGE_CONF'] = `${folder}/storage.conf`
    const image = new BuiltImage(folder, `localhost/${await imageName()}`)
    try {
      await show('npm', ['run', '--silent', 'image', '--', '--local-base'])
    } catch (error) {
      await image[Symbol.asyncDispose]()
      throw error
    }
    return image
  }

  private constructor(folder: string, name: string) {
    this.#folder = folder
    this.#name = name
  }

  async config(): Promise<ImageConfig> {
    const inspected = JSON.parse(await output('buildah', ['inspect', '--type', 'image', this.#name])) as {
      readonly OCIv1: { readonly config: ImageConfig }
    }
    return inspected.OCIv1.config
  }

  /** Its size as it is told to people. */
  async size(): Promise<string> {
    return output('buildah', ['images', '--format', '{{.Size}}', this.#name])
  }

  /** A container of it, mounted; answers its root. */
  async mount(): Promise<string> {
    return output('buildah', ['mount', await output('buildah', ['from', this.#name])])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await output('buildah', ['rm', '--all'])
    // The driver leaves it mounted on itself.
    await output('umount', [`${this.#folder}/store/overlay`]).catch(() => undefined)
    await rm(this.#folder, { recursive: true, force: true })
    delete process.env['CONTAINERS_STORAGE_CONF']
  }
}

/** Every file under this root, as the image has it. */
export async function filesOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`)
    .sort()
}

/** Which image of LocalStack is run, and how it wants to be run. */
import { ImageName } from 'testcontainers';
import type { ContainerRuntimeClient } from 'testcontainers';
import type { Environment } from './engine.ts';
import { LocalStackError } from './localstack-error.ts';

/** @source LocalStack: from 2026.03 on the container ends with code 55 unless it is given a token. */
export const PUBLISHED_IMAGE = 'localstack/localstack:4.14.0';

/** What `test/localstack/image/build-image.sh` builds. */
export const BUILT_IMAGE = 'penstock/localstack:4.14.0';

export interface Image {
  readonly name: string;
  /** Functions run inside LocalStack's own container, not each in one of its own. */
  readonly runsFunctionsInside: boolean;
}

/**
 * Find the image: `LOCALSTACK_IMAGE`; else the published one, here or in the registry; else the built one.
 *
 * @throws {LocalStackError} when it is not here and cannot be pulled.
 */
export async function findImage(
  { image: images }: ContainerRuntimeClient,
  { env, onPull }: { env: Environment; onPull: (name: string) => void },
): Promise<Image> {
  const wanted = env['LOCALSTACK_IMAGE'] || undefined;
  const isHere = (name: string) => images.exists(ImageName.fromString(name));
  const candidates = wanted === undefined ? [PUBLISHED_IMAGE, BUILT_IMAGE] : [wanted];
  let name: string | undefined;
  for (const candidate of candidates)
    if (name === undefined && (await isHere(candidate))) name = candidate;
  name ??= await pull(images, { name: wanted ?? PUBLISHED_IMAGE, onPull });
  const { Config } = await images.inspect(ImageName.fromString(name));
  return { name, runsFunctionsInside: Config.Env.includes('LAMBDA_RUNTIME_EXECUTOR=local') };
}

async function pull(
  images: ContainerRuntimeClient['image'],
  { name, onPull }: { name: string; onPull: (name: string) => void },
): Promise<string> {
  onPull(name);
  const refusal = await images.pull(ImageName.fromString(name)).catch((error: unknown) => error);
  if (await images.exists(ImageName.fromString(name))) return name;
  throw new LocalStackError(
    `The image ${name} is not here and cannot be pulled${why(refusal)}: build one with ` +
      'test/localstack/image/build-image.sh, or name one in LOCALSTACK_IMAGE.',
    { cause: refusal },
  );
}

/** The innermost words of Docker's long sentence. */
function why(refusal: unknown): string {
  if (!(refusal instanceof Error)) return '';
  const last = refusal.message.trim().split(': ').at(-1);
  return last === undefined ? '' : ` (${last})`;
}

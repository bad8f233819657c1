/** Code that stands in the template itself, as a folder that a runtime can start from. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Write `index.js`, as Lambda does of `ZipFile`. The folder is named after what is in it: the same
 * code is the same folder.
 *
 * @source CloudFormation User Guide, AWS::Lambda::Function Code: the file is named index.
 */
export function inlineCode(code: string): string {
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 32);
  const folder = join(tmpdir(), 'penstock-inline-code', digest);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), code);
  return folder;
}

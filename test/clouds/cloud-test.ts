/** Tests that take a cloud: LocalStack where its project runs them, else the local cloud. */
import { inject, test } from 'vitest';
import type { TestContext } from 'vitest';
import { gapOf } from './capabilities.ts';
import type { CapabilityName } from './capabilities.ts';
import type { Cloud } from './cloud.ts';
import { embeddedCloud } from './embedded-cloud.ts';
import { localstackCloud } from './localstack-cloud.ts';
import type { LocalStackPlace } from './localstack-cloud.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined outside its project; a sentence where there is none to be had. */
    localstack: LocalStackPlace | string;
  }
}

type CloudTest = (cloud: Cloud) => Promise<void>;

let opened: Cloud | undefined;

function openCloud({ skip }: Pick<TestContext, 'skip'>): Cloud {
  const localstack = inject('localstack') as LocalStackPlace | string | undefined;
  if (typeof localstack === 'string') return skip(localstack);
  opened ??= localstack === undefined ? embeddedCloud : localstackCloud(localstack);
  return opened;
}

/** A test that every cloud must pass. */
export function cloudTest(title: string, ask: CloudTest): void {
  test(title, (context) => ask(openCloud(context)));
}

/**
 * A test of what some clouds lack. There it must fail in the way that the table says, and counts as
 * skipped; when it passes, or fails in another way, the table is wrong and the test is red.
 */
export function capabilityTest(name: CapabilityName, title: string, ask: CloudTest): void {
  test(title, async (context) => {
    const cloud = openCloud(context);
    const gap = gapOf(name, cloud.name);
    if (gap === undefined) return ask(cloud);
    const reason = `${cloud.name} ${gap.reason}`;
    if (gap.symptom !== undefined) {
      const failure = await ask(cloud).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (failure === undefined) throw new Error(`Not so any more: ${reason} (${name})`);
      if (!gap.symptom.test(failure)) throw new Error(`${name} fails in another way: ${failure}`);
    }
    context.skip(reason);
  });
}

/** LocalStack's own wrapper of the cdk command does with the app what the command does. */
import { expect, vi } from 'vitest';
import { PROJECT_ROOT } from '#cli/project';
import { run } from '#localstack/cdk';
import { synthesizeApp } from '#test/clouds/app';
import { cloudTest } from '#test/clouds/cloud-test';
import { deployedResources, resourcesThere } from '#test/whole/deployed-resources';
import { WAIT } from '#test/whole/tickets-app';
import { TICKETS_FILE, TICKETS_TOKEN } from '#test/whole/tickets-source';

const SCRIPT = 'aws-cdk-local/bin/cdklocal';

cloudTest('cdklocal deploys the app, and destroys all but what templates retain', async (cloud) => {
  const endpoint = cloud.endpoint ?? '';
  const env = { TICKETS_API_URL: 'http://127.0.0.1:9/tickets', TICKETS_API_TOKEN: TICKETS_TOKEN };
  const { cdkOut } = await synthesizeApp({ pipeline: TICKETS_FILE, env });
  const cdklocal = (...args: string[]) =>
    run(SCRIPT, [...args, '--all', '--app', cdkOut, '--ci', '--no-notices', '--no-color'], {
      endpoint,
      env: process.env,
      cwd: PROJECT_ROOT,
    });

  await cdklocal('deploy', '--require-approval', 'never');
  const resources = await deployedResources({ endpoint, cdkOut });
  expect(resources.length).toBeGreaterThan(0);
  expect(await resourcesThere(endpoint, resources)).toEqual(resources);

  await cdklocal('destroy', '--force');
  const retained = resources.filter((one) => one.retained);
  await vi.waitFor(
    async () => expect(await resourcesThere(endpoint, resources)).toEqual(retained),
    WAIT,
  );
});

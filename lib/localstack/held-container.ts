/** LocalStack's container, published on loopback alone and gone by itself once it has ended. */
import { LocalstackContainer } from '@testcontainers/localstack';

export class HeldContainer extends LocalstackContainer {
  /** Called with the container's id before it starts. */
  onCreated: ((id: string) => void) | undefined;

  protected override async beforeContainerCreated(): Promise<void> {
    await super.beforeContainerCreated();
    this.hostConfig.AutoRemove = true;
    const bindings = Object.values(this.hostConfig.PortBindings ?? {}) as { HostIp?: string }[][];
    for (const binding of bindings.flat()) binding.HostIp = '127.0.0.1';
  }

  protected override async containerCreated(id: string): Promise<void> {
    this.onCreated?.(id);
  }
}

/** What `cdk` starts: the app, its compiled form kept, as stripping the types takes a second. */
import { enableCompileCache } from 'node:module';

process.env.NODE_COMPILE_CACHE ??= enableCompileCache().directory;
await import('./app.ts');

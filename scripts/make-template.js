/**
 * Makes the template of the embedded database, a new one in which all migrations have run, from the build.
 * Several processes may do this at once: each renames a whole file into place, and any will do.
 */
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openConnection } from '../dist/src/database/data-source.js';
import { templateFile } from '../dist/src/database/embedded/template.js';
import { migrate, MIGRATION_WAIT_MS } from '../dist/src/database/schema/migrate.js';
import { DIST } from './build.js';

const file = templateFile();
if (!existsSync(file)) {
  const folder = await mkdtemp(path.join(DIST, 'template-'));
  try {
    const connection = await openConnection({ kind: 'folder', path: folder });
    await migrate(connection, MIGRATION_WAIT_MS.start);
    await connection.close();
    const database = await PGlite.create(path.join(folder, 'pgdata'));
    // Two thirds of the files; the service uses neither, and PGlite cannot create databases from them.
    await database.exec('UPDATE pg_database SET datistemplate = false');
    for (const unused of ['template0', 'template1']) await database.exec(`DROP DATABASE ${unused}`);
    const tar = await database.dumpDataDir('none');
    await database.close();
    const draft = path.join(folder, 'draft.tar');
    await writeFile(draft, tar.stream(), { mode: 0o644 });
    for (const old of globSync('template-*.tar', { cwd: DIST })) await rm(path.join(DIST, old));
    await rename(draft, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

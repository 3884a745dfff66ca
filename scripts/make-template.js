/** Makes the template of the embedded database, which else the first start would have to wait for. */
import { emptyDatabase, templateFiles } from '../src/database/embedded/template.ts';
import { DIST } from './build.js';

await emptyDatabase(await templateFiles(DIST));

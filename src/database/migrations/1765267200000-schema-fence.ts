import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
CREATE TABLE schema_fence (
  id smallint NOT NULL,
  reads integer NOT NULL,
  CONSTRAINT schema_fence_pk PRIMARY KEY (id),
  CONSTRAINT schema_fence_id_check CHECK (id = 1)
);
INSERT INTO schema_fence (id, reads) VALUES (1, 1);
`;

const down = 'DROP TABLE schema_fence;';

/** Which programs may work on these tables. */
export class SchemaFence1765267200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}

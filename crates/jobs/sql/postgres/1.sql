-- The tables of a farm on PostgreSQL. Times are milliseconds since 1970 by the clock of the database;
-- no clock of a worker is ever looked at. Rows of append-only tables are never changed.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE worker (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    db_role text NOT NULL,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    cpu text NOT NULL CHECK (length(cpu) <= 200),
    program text NOT NULL CHECK (length(program) <= 100),
    threads bigint NOT NULL,
    bench bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('proven', 'blocked')),
    why text,
    created bigint NOT NULL DEFAULT now_ms(),
    seen bigint NOT NULL DEFAULT now_ms(),
    UNIQUE (db_role, name)
);

CREATE TABLE campaign (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('selfplay', 'match', 'book', 'tune', 'rescore')),
    spec text NOT NULL CHECK (length(spec) <= 16777216),
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'done')),
    prio bigint NOT NULL DEFAULT 0,
    lease_seconds bigint NOT NULL DEFAULT 300 CHECK (lease_seconds BETWEEN 1 AND 86400),
    units bigint NOT NULL DEFAULT 0,
    created bigint NOT NULL DEFAULT now_ms()
);

CREATE TABLE job (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign bigint NOT NULL REFERENCES campaign,
    unit bigint NOT NULL,
    purpose text NOT NULL DEFAULT 'first' CHECK (purpose IN ('first', 'check', 'again')),
    state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'leased', 'done', 'dead', 'dropped')),
    not_before bigint NOT NULL DEFAULT 0,
    attempt bigint NOT NULL DEFAULT 0,
    max_attempt bigint NOT NULL DEFAULT 8,
    lease text,
    lease_until bigint,
    worker bigint REFERENCES worker,
    twice bigint NOT NULL DEFAULT 0,
    spec text NOT NULL CHECK (length(spec) <= 1048576),
    dedup text NOT NULL UNIQUE
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
CREATE INDEX job_ready ON job (campaign, id) WHERE state = 'ready';
CREATE INDEX job_expiring ON job (lease_until) WHERE state = 'leased';
CREATE INDEX job_held ON job (worker) WHERE state = 'leased';
CREATE INDEX job_unit ON job (campaign, unit);

CREATE TABLE result (
    job bigint PRIMARY KEY REFERENCES job,
    campaign bigint NOT NULL REFERENCES campaign,
    unit bigint NOT NULL,
    purpose text NOT NULL,
    lease text NOT NULL,
    worker bigint NOT NULL REFERENCES worker,
    digest text NOT NULL,
    payload bytea NOT NULL,
    file text,
    games bigint NOT NULL,
    positions bigint NOT NULL,
    nodes bigint NOT NULL,
    points bigint,
    millis bigint NOT NULL,
    at bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX result_unit ON result (campaign, unit);
CREATE INDEX result_at ON result (at);

-- What the keeper has not looked at.
CREATE TABLE inbox (job bigint PRIMARY KEY);
CREATE TABLE verdict (job bigint PRIMARY KEY, ok bigint NOT NULL, why text NOT NULL, at bigint NOT NULL DEFAULT now_ms());
CREATE TABLE failure (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job bigint NOT NULL,
    attempt bigint NOT NULL,
    worker bigint,
    cause text NOT NULL CHECK (cause IN ('error', 'expired', 'refused')),
    message text NOT NULL,
    at bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX failure_job ON failure (job);
CREATE TABLE exclusion (worker bigint PRIMARY KEY, why text NOT NULL, who text NOT NULL, at bigint NOT NULL DEFAULT now_ms());
CREATE TABLE decision (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign bigint NOT NULL,
    what text NOT NULL,
    detail text NOT NULL,
    at bigint NOT NULL DEFAULT now_ms()
);
CREATE TABLE progress (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign bigint NOT NULL,
    detail text NOT NULL,
    at bigint NOT NULL DEFAULT now_ms()
);
CREATE INDEX progress_campaign ON progress (campaign, id);
-- The order in which the games of a book were taken in.
CREATE TABLE fact (campaign bigint NOT NULL, seq bigint NOT NULL, job bigint NOT NULL UNIQUE, PRIMARY KEY (campaign, seq));
-- What follows from the facts: rebuilt whenever it is lost, never the truth.
CREATE TABLE derived (campaign bigint NOT NULL, key bytea NOT NULL, outcome text NOT NULL, PRIMARY KEY (campaign, key));
CREATE TABLE derived_mark (campaign bigint PRIMARY KEY, seq bigint NOT NULL);
CREATE TABLE event (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL DEFAULT now_ms(),
    who text NOT NULL DEFAULT session_user,
    what text NOT NULL,
    campaign bigint,
    job bigint,
    worker bigint,
    detail text
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME; END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON result FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON verdict FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON failure FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON exclusion FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON decision FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON fact FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Results that count: not those that only check others, nor refused ones, nor those of excluded workers.
CREATE VIEW counted AS
SELECT r.* FROM result r
WHERE r.purpose <> 'check'
  AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.job = r.job AND v.ok = 0)
  AND NOT EXISTS (SELECT 1 FROM exclusion x WHERE x.worker = r.worker);

-- The worker of a number, if it may work and belongs to whoever calls.
CREATE FUNCTION own_worker(p_worker bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM worker w WHERE w.id = p_worker AND w.db_role = session_user AND w.state = 'proven') THEN
        RAISE EXCEPTION 'worker % may not work for %', p_worker, session_user USING ERRCODE = '28000';
    END IF;
END $$;

CREATE FUNCTION terms() RETURNS TABLE (name text, value text) LANGUAGE sql SECURITY DEFINER SET search_path = tesuji, pg_temp AS
$$ SELECT s.name, s.value FROM setting s WHERE s.name LIKE 'terms.%' $$;

CREATE FUNCTION enroll(p_name text, p_cpu text, p_program text, p_threads bigint, p_bench bigint, p_canary text)
RETURNS TABLE (worker bigint, why text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
#variable_conflict use_column
DECLARE v_id bigint; v_state text; v_why text;
BEGIN
    IF (SELECT count(*) FROM worker w WHERE w.db_role = session_user) >= 2000
       AND NOT EXISTS (SELECT 1 FROM worker w WHERE w.db_role = session_user AND w.name = p_name) THEN
        RAISE EXCEPTION '% has too many workers', session_user;
    END IF;
    IF p_bench IS DISTINCT FROM (SELECT s.value::bigint FROM setting s WHERE s.name = 'answer.bench') THEN
        v_why := 'bench signature ' || coalesce(p_bench::text, 'none');
    ELSIF p_canary IS DISTINCT FROM (SELECT s.value FROM setting s WHERE s.name = 'answer.canary') THEN
        v_why := 'canary ' || left(coalesce(p_canary, 'none'), 64);
    END IF;
    IF v_why IS NOT NULL THEN
        INSERT INTO event (what, detail) VALUES ('worker refused', left(p_name, 100) || ': ' || v_why);
        RETURN QUERY SELECT NULL::bigint, v_why;
        RETURN;
    END IF;
    INSERT INTO worker AS w (db_role, name, cpu, program, threads, bench, state)
    VALUES (session_user, p_name, p_cpu, p_program, p_threads, p_bench, 'proven')
    ON CONFLICT (db_role, name) DO UPDATE SET cpu = p_cpu, program = p_program, threads = p_threads, bench = p_bench, seen = now_ms()
    RETURNING w.id, w.state, w.why INTO v_id, v_state, v_why;
    IF v_state = 'blocked' THEN
        INSERT INTO event (what, worker, detail) VALUES ('worker refused', v_id, 'blocked: ' || coalesce(v_why, ''));
        RETURN QUERY SELECT NULL::bigint, 'blocked: ' || coalesce(v_why, '');
        RETURN;
    END IF;
    INSERT INTO event (what, worker, detail) VALUES ('worker enrolled', v_id, left(p_name, 100));
    RETURN QUERY SELECT v_id, NULL::text;
END $$;

-- Leases that ran out: another attempt, or none if too many were made.
CREATE FUNCTION reap() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
DECLARE v_job record; v_count bigint := 0;
BEGIN
    FOR v_job IN SELECT j.id, j.campaign, j.attempt, j.max_attempt, j.worker FROM job j
        WHERE j.state = 'leased' AND j.lease_until < now_ms() ORDER BY j.lease_until LIMIT 100 FOR UPDATE SKIP LOCKED
    LOOP
        UPDATE job SET state = CASE WHEN v_job.attempt >= v_job.max_attempt THEN 'dead' ELSE 'ready' END,
            lease = NULL, lease_until = NULL, worker = NULL WHERE id = v_job.id;
        INSERT INTO failure (job, attempt, worker, cause, message) VALUES (v_job.id, v_job.attempt, v_job.worker, 'expired', 'the lease ran out');
        INSERT INTO event (what, campaign, job, worker) VALUES ('lease expired', v_job.campaign, v_job.id, v_job.worker);
        v_count := v_count + 1;
    END LOOP;
    RETURN v_count;
END $$;

CREATE FUNCTION claim(p_worker bigint, p_count bigint, p_kinds text)
RETURNS TABLE (job bigint, campaign bigint, kind text, lease text, seconds bigint, spec text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
#variable_conflict use_column
DECLARE v_campaign record; v_now bigint := now_ms(); v_ids bigint[];
BEGIN
    PERFORM own_worker(p_worker);
    IF EXISTS (SELECT 1 FROM job j WHERE j.state = 'leased' AND j.lease_until < v_now) THEN
        PERFORM reap();
    END IF;
    FOR v_campaign IN SELECT c.id, c.kind, c.lease_seconds FROM campaign c
        WHERE c.state = 'running' AND c.kind = ANY (string_to_array(p_kinds, ',')) ORDER BY c.prio DESC, c.id
    LOOP
        -- An array, not a join: the planner then walks the index and stops at the limit.
        v_ids := ARRAY(SELECT j.id FROM job j
            WHERE j.campaign = v_campaign.id AND j.state = 'ready' AND j.not_before <= v_now
              AND (j.attempt = 0 OR NOT EXISTS (SELECT 1 FROM failure f
                   WHERE f.job = j.id AND f.worker = p_worker AND f.cause <> 'expired' AND f.at > v_now - 600000))
              -- Nobody checks itself, and whoever was refused is not asked for the same again.
              AND (j.purpose = 'first' OR NOT EXISTS (SELECT 1 FROM result r
                   WHERE r.campaign = j.campaign AND r.unit = j.unit AND r.worker = p_worker
                     AND (j.purpose = 'check' OR EXISTS (SELECT 1 FROM verdict v WHERE v.job = r.job AND v.ok = 0))))
            ORDER BY j.id LIMIT least(greatest(p_count, 1), 1000) FOR UPDATE SKIP LOCKED);
        CONTINUE WHEN cardinality(v_ids) = 0;
        INSERT INTO event (what, campaign, job, worker) SELECT 'claimed', v_campaign.id, i, p_worker FROM unnest(v_ids) i;
        RETURN QUERY UPDATE job AS j SET state = 'leased', attempt = j.attempt + 1, lease = gen_random_uuid()::text,
                lease_until = v_now + 1000 * v_campaign.lease_seconds, worker = p_worker
            WHERE j.id = ANY (v_ids)
            RETURNING j.id, j.campaign, v_campaign.kind, j.lease, v_campaign.lease_seconds, j.spec;
        RETURN;
    END LOOP;
END $$;

CREATE FUNCTION beat(p_worker bigint, p_leases text) RETURNS TABLE (lease text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
#variable_conflict use_column
BEGIN
    PERFORM own_worker(p_worker);
    UPDATE worker SET seen = now_ms() WHERE id = p_worker;
    RETURN QUERY UPDATE job AS j SET lease_until = now_ms() + 1000 * c.lease_seconds FROM campaign c
        WHERE j.worker = p_worker AND j.state = 'leased' AND c.id = j.campaign
          AND j.lease = ANY (string_to_array(left(p_leases, 100000), ','))
        RETURNING j.lease;
END $$;

-- Back to the queue after a failure that was told; dead when three workers or too many attempts failed.
CREATE FUNCTION failed(p_job bigint, p_worker bigint, p_attempt bigint, p_max bigint, p_cause text, p_message text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_workers bigint;
BEGIN
    INSERT INTO failure (job, attempt, worker, cause, message) VALUES (p_job, p_attempt, p_worker, p_cause, left(p_message, 2000));
    SELECT count(DISTINCT f.worker) INTO v_workers FROM failure f WHERE f.job = p_job AND f.cause <> 'expired';
    UPDATE job SET state = CASE WHEN v_workers >= 3 OR p_attempt >= p_max THEN 'dead' ELSE 'ready' END,
        lease = NULL, lease_until = NULL, worker = NULL WHERE id = p_job;
END $$;

CREATE FUNCTION complete(p_worker bigint, p_job bigint, p_lease text, p_sum text, p_digest text, p_payload bytea,
    p_file text, p_games bigint, p_positions bigint, p_nodes bigint, p_points bigint, p_millis bigint)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
DECLARE v_job job%ROWTYPE;
BEGIN
    PERFORM own_worker(p_worker);
    SELECT * INTO v_job FROM job j WHERE j.id = p_job FOR UPDATE;
    IF v_job.id IS NULL OR v_job.state <> 'leased' OR v_job.lease IS DISTINCT FROM p_lease OR v_job.worker <> p_worker THEN
        INSERT INTO event (what, campaign, job, worker) VALUES ('completion not taken', v_job.campaign, p_job, p_worker);
        RETURN 0;
    END IF;
    IF octet_length(p_payload) > 4194304 OR length(p_digest) <> 64 OR length(p_file) > 100
       OR encode(sha256(p_payload), 'hex') <> p_sum THEN
        PERFORM failed(p_job, p_worker, v_job.attempt, v_job.max_attempt, 'refused', 'corrupt or too large');
        INSERT INTO event (what, campaign, job, worker, detail) VALUES ('result refused', v_job.campaign, p_job, p_worker, 'corrupt or too large');
        RETURN -1;
    END IF;
    INSERT INTO result (job, campaign, unit, purpose, lease, worker, digest, payload, file, games, positions, nodes, points, millis)
    VALUES (p_job, v_job.campaign, v_job.unit, v_job.purpose, p_lease, p_worker, p_digest, p_payload, p_file,
        p_games, p_positions, p_nodes, p_points, p_millis);
    INSERT INTO inbox (job) VALUES (p_job);
    UPDATE job SET state = 'done', lease_until = NULL WHERE id = p_job;
    IF v_job.twice = 1 THEN
        INSERT INTO job (campaign, unit, purpose, spec, dedup) VALUES (v_job.campaign, v_job.unit, 'check', v_job.spec, 'check ' || p_job);
    END IF;
    INSERT INTO event (what, campaign, job, worker) VALUES ('completed', v_job.campaign, p_job, p_worker);
    RETURN 1;
END $$;

CREATE FUNCTION fail(p_worker bigint, p_job bigint, p_lease text, p_why text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
DECLARE v_job job%ROWTYPE;
BEGIN
    PERFORM own_worker(p_worker);
    SELECT * INTO v_job FROM job j WHERE j.id = p_job AND j.state = 'leased' AND j.lease = p_lease AND j.worker = p_worker FOR UPDATE;
    IF v_job.id IS NULL THEN RETURN 0; END IF;
    PERFORM failed(p_job, p_worker, v_job.attempt, v_job.max_attempt, 'error', p_why);
    INSERT INTO event (what, campaign, job, worker, detail) VALUES ('failed', v_job.campaign, p_job, p_worker, left(p_why, 2000));
    RETURN 1;
END $$;

CREATE FUNCTION give_back(p_worker bigint, p_job bigint, p_lease text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
DECLARE v_campaign bigint;
BEGIN
    PERFORM own_worker(p_worker);
    UPDATE job j SET state = 'ready', attempt = j.attempt - 1, lease = NULL, lease_until = NULL, worker = NULL
        WHERE j.id = p_job AND j.state = 'leased' AND j.lease = p_lease AND j.worker = p_worker
        RETURNING j.campaign INTO v_campaign;
    IF v_campaign IS NULL THEN RETURN 0; END IF;
    INSERT INTO event (what, campaign, job, worker) VALUES ('given back', v_campaign, p_job, p_worker);
    RETURN 1;
END $$;

CREATE FUNCTION campaign_spec(p_worker bigint, p_campaign bigint) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
BEGIN
    PERFORM own_worker(p_worker);
    RETURN (SELECT c.spec FROM campaign c WHERE c.id = p_campaign);
END $$;

CREATE FUNCTION facts(p_worker bigint, p_campaign bigint, p_after bigint, p_until bigint)
RETURNS TABLE (seq bigint, payload bytea) LANGUAGE plpgsql SECURITY DEFINER SET search_path = tesuji, pg_temp AS $$
#variable_conflict use_column
BEGIN
    PERFORM own_worker(p_worker);
    RETURN QUERY SELECT f.seq, r.payload FROM fact f JOIN result r ON r.job = f.job
        WHERE f.campaign = p_campaign AND f.seq > p_after AND f.seq <= p_until ORDER BY f.seq LIMIT 500;
END $$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tesuji FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA tesuji FROM PUBLIC;

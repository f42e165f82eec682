//! The tables open elsewhere as they are.

use clew_store::Store;
use clew_weave::State;

use crate::python::script;
use crate::support::{Native, open, records, woven};

/// Two native spans of a journey, one of none; two journeys, one of which was written twice.
async fn filled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lake = open(folder.path()).await;
    lake.append(records(&[Native(1001, 1, 0), Native(1001, 2, 1), Native(5, 3, 2)])).await.unwrap();
    lake.weave(woven(1, State::Converged, 0)).await.unwrap();
    lake.weave(woven(2, State::Converged, 1)).await.unwrap();
    lake.flush().await.unwrap();
    lake.weave(woven(2, State::Failed, 1)).await.unwrap();
    lake.flush().await.unwrap();
    lake.append(records(&[Native(6, 4, 3)])).await.unwrap();
    lake.flush().await.unwrap();
    lake.compact(|_| {}).await.unwrap();
    assert_eq!(lake.verify(|_| {}).await.unwrap().problems, Vec::<String>::new());
    folder
}

const EXPECTED: &str = "background 2\njourney 4\nsegment 2\nshop 200\nfailed 1\n";

#[tokio::test]
async fn python_opens_the_tables() {
    let folder = filled().await;
    let text = r#"
import sys, collections, deltalake
open = lambda name: deltalake.DeltaTable(f"{sys.argv[1]}/{name}").to_pyarrow_table().to_pylist()
spans = open("spans")
for name, count in sorted(collections.Counter(row["class"] for row in spans).items()): print(name, count)
native = [row for row in spans if row["class"] == "background"][0]
print(dict(native["attributes_string"])["k8s.namespace.name"], dict(native["attributes_int"])["http.response.status_code"])
states = collections.Counter(row["state"] for row in open("journeys"))
print("failed", states["failed"])
assert len(open("edges")) == 4 and len(open("runs")) == 0
"#;
    let Some(printed) = script(text, &folder.path().join("tables")) else { return };
    assert_eq!(printed, EXPECTED);
}

#[tokio::test]
async fn duckdb_opens_the_tables() {
    let folder = filled().await;
    let text = r#"
import sys, duckdb
from duckdb_extensions import import_extension
import_extension("delta")
db = duckdb.connect()
db.execute("set enable_progress_bar = false")
db.execute("load delta")
ask = lambda sql: db.execute(sql.replace("$", sys.argv[1])).fetchall()
for name, count in ask("select class, count(*) from delta_scan('$/spans') group by 1 order by 1"): print(name, count)
print(*ask("select attributes_string['k8s.namespace.name'], attributes_int['http.response.status_code'] from delta_scan('$/spans') where class = 'background' limit 1")[0])
print("failed", ask("select count(*) from delta_scan('$/journeys') where state = 'failed'")[0][0])
joined = "select count(*) from delta_scan('$/spans') s join delta_scan('$/journeys') j on list_contains(j.segments, s.trace_id)"
assert ask(joined)[0][0] == 2, ask(joined)
"#;
    let Some(printed) = script(text, &folder.path().join("tables")) else { return };
    assert_eq!(printed, EXPECTED);
}

#[tokio::test]
async fn clickhouse_opens_the_tables() {
    let folder = filled().await;
    let text = r#"
import sys, chdb
ask = lambda sql: [line.split("\t") for line in str(chdb.query(sql.replace("$", sys.argv[1]), "TabSeparated")).splitlines()]
for name, count in ask("select class, count() from deltaLakeLocal('$/spans') group by 1 order by 1"): print(name, count)
print(*ask("select attributes_string['k8s.namespace.name'], attributes_int['http.response.status_code'] from deltaLakeLocal('$/spans') where class = 'background' limit 1")[0])
print("failed", ask("select count() from deltaLakeLocal('$/journeys') where state = 'failed'")[0][0])
"#;
    let Some(printed) = script(text, &folder.path().join("tables")) else { return };
    assert_eq!(printed, EXPECTED);
}
